export * from '../../examples/demo/free-port.ts'

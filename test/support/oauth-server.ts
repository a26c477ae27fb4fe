export * from '../../examples/demo/oauth-server.ts'

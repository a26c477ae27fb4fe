import { type Store, StoreFull } from './contract.ts'

export interface WatchedStore extends Store {
  /** True from a failure until the next answer. */
  isLost(): boolean
}

interface StoreWatcher {
  /** `verb`: the one that failed, in the words of the contract. */
  readonly onFailure: (verb: string) => void
  /** The store was lost, or has come back. */
  readonly onTurn: (isLost: boolean) => void
}

/** The store, with its failures reported. Costs a call nothing: nobody waits for the report. */
export function watchStore(store: Store, { onFailure, onTurn }: StoreWatcher): WatchedStore {
  let lost = false
  const turn = (isLost: boolean): void => {
    if (lost === isLost) return
    lost = isLost
    onTurn(isLost)
  }
  const answered = (): void => turn(false)
  const watch = <T>(verb: string, work: Promise<T>): Promise<T> => {
    work.then(answered, error => {
      onFailure(verb)
      turn(!(error instanceof StoreFull))
    })
    return work
  }
  return {
    isLost: () => lost,
    take: cell => watch('take', store.take(cell)),
    begin: request => watch('begin', store.begin(request)),
    dispatch: (key, fence, leaseMs) => watch('dispatch', store.dispatch(key, fence, leaseMs)),
    commit: (key, fence, answer, ttlMs) => watch('commit', store.commit(key, fence, answer, ttlMs)),
    release: (key, fence) => watch('release', store.release(key, fence)),
    markUnknown: (key, fence, ttlMs) => watch('mark_unknown', store.markUnknown(key, fence, ttlMs)),
    spend: (key, ttlMs, owner) => watch('spend', store.spend(key, ttlMs, owner)),
    setField: (key, field, value, ttlMs, owner) => watch('set_field', store.setField(key, field, value, ttlMs, owner)),
    fields: key => watch('fields', store.fields(key)),
    append: (key, message, ttlMs, owner) => watch('append', store.append(key, message, ttlMs, owner)),
    read: (key, from) => watch('read', store.read(key, from)),
    watch: (key, run) => store.watch(key, run),
    check: () => watch('check', store.check()),
    close: () => store.close(),
  }
}

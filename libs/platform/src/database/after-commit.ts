import type { Tx } from './tx';

const pending = new WeakMap<Tx, (() => void)[]>();

/** Runs after the commit, and not after a rollback. Only for nudges: a process may die before it runs. Work that must not be lost is a row. */
export function afterCommit(tx: Tx, run: () => void): void {
  const runs = pending.get(tx);
  if (!runs) throw new Error('afterCommit() needs the transaction that Database began');
  runs.push(run);
}

export function openAfterCommit(tx: Tx): () => void {
  const runs: (() => void)[] = [];
  pending.set(tx, runs);
  return () => runs.forEach((run) => run());
}

import type { EntityManager } from 'typeorm';

const pending = new WeakMap<EntityManager, (() => void)[]>();

/** Runs after the commit, and not after a rollback. Only for nudges: a process may die before it runs. Work that must not be lost is a row. */
export function afterCommit(tx: EntityManager, run: () => void): void {
  const runs = pending.get(tx);
  if (!runs) throw new Error('afterCommit() needs the EntityManager of a transaction that Database began');
  runs.push(run);
}

export function openAfterCommit(tx: EntityManager): () => void {
  const runs: (() => void)[] = [];
  pending.set(tx, runs);
  return () => runs.forEach((run) => run());
}

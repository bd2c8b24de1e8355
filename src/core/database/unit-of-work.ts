import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { combineWrites, type Write } from './bulk';
import { retryTransient } from './sqlstate';

declare const inTransaction: unique symbol;

/** An open transaction. Only `UnitOfWork.run` makes one, so a method that asks for a `Tx` cannot run outside of it. */
export type Tx = EntityManager & { readonly [inTransaction]: true };

/**
 * Short database transactions for everything but postings (those go through the ledger).
 * Nothing may leave the process inside `work`, and it may run more than once.
 */
@Injectable()
export class UnitOfWork {
  constructor(private readonly dataSource: DataSource) {}

  run<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return retryTransient(() => this.dataSource.transaction((manager) => work(manager as Tx)));
  }

  /** Carries out writes that a module described as data. */
  async write(tx: Tx, writes: readonly Write[]): Promise<void> {
    if (writes.length === 0) return;
    const { query, params } = combineWrites(writes);
    await tx.query(query.text, params);
  }
}

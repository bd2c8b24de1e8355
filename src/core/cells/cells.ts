import { randomInt } from 'node:crypto';
import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Env } from '../config/env';
import type { Tx } from '../database/unit-of-work';
import { CannotStart } from '../errors/cannot-start';
import { ServiceUnavailable } from '../errors/domain-error';
import { newId, newIdOf, slotNumber, slotOf } from '../http/ids';

/** Places of accounts, by the last twelve bits of their ids. */
export const SLOTS = 4_096;

/** A whole service for the accounts of its slots. */
export interface Cell {
  readonly name: string;
  /** Where its API processes listen to those of other cells. */
  readonly addresses: readonly string[];
  /** People, catalogues, fees and routes are changed there. */
  readonly isControl: boolean;
}

/** The request is for another cell, and answered by it: see `ProblemFilter`. */
export class KeptElsewhere extends Error {
  /** `slot`: or the place of a cell, which `person` asks by its name. */
  constructor(
    readonly slot: string,
    readonly person?: object,
  ) {
    super(`${slot} is elsewhere`);
  }
}

interface CellRow extends Cell {
  readonly epoch: string;
  /** Slots are on their way from here, or to here. */
  readonly isMoving: boolean;
  readonly froms: number[];
  readonly befores: number[];
}

interface Table {
  /** Grows with each change. */
  readonly epoch: number;
  readonly cells: readonly Cell[];
  /** By slot. */
  readonly owners: readonly (Cell | undefined)[];
}

const REFRESH_MS = 1_000;
/** While slots move: until a process sees that they have, it may answer reads as they were. */
const REFRESH_MOVING_MS = 50;

const SELECT_CELLS = `
  SELECT name, addresses, is_control AS "isControl", epoch,
         EXISTS (SELECT 1 FROM slot_moves WHERE ended_at IS NULL) AS "isMoving",
         array(SELECT lower(r) FROM unnest(slots) AS r) AS froms,
         array(SELECT upper(r) FROM unnest(slots) AS r) AS befores
    FROM cells ORDER BY name`;

/** Whoever gives slots away waits for those who open an account in one, and they for it. */
export const LOCK_SLOTS = `hashtextextended('duka cells', 0)`;

const NO_TABLE: Table = { epoch: 0, cells: [], owners: [] };

/**
 * Which cell keeps which accounts. A process belongs to the cell of its database, which knows its own name; with one
 * cell nobody has one, and nothing is asked.
 */
@Injectable()
export class Cells implements OnModuleInit, OnModuleDestroy {
  private readonly log = new Logger('cells');
  private table = NO_TABLE;
  private own: Cell | null = null;
  private isMoving = false;
  private timer: NodeJS.Timeout | null = null;
  private isEnding = false;
  private refreshing: Promise<void> | null = null;

  constructor(
    private readonly env: Env,
    private readonly dataSource: DataSource,
  ) {}

  async onModuleInit(): Promise<void> {
    const [row]: { name: string }[] = await this.dataSource.query('SELECT name FROM this_cell');
    const { CELL_SECRET: secret } = this.env;
    if (secret === undefined && row !== undefined)
      throw new CannotStart(`This database is the cell ${row.name}: set CELL_SECRET, the same for all cells.`);
    if (secret === undefined) return;
    if (row === undefined)
      throw new CannotStart('CELL_SECRET is set, and this database is no cell yet: see npm run duka -- cell:init.');
    await this.read(row.name);
    if (this.own === null)
      throw new CannotStart(
        `The table of slots does not name the cell ${row.name} yet: see npm run duka -- cell:list.`,
      );
    const { name } = row;
    this.readAgain(name);
  }

  onModuleDestroy(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.isEnding = true;
  }

  /** Whether there are several. */
  get isOn(): boolean {
    return this.env.CELL_SECRET !== undefined;
  }

  /** That of this process; null: there is only one. */
  get here(): Cell | null {
    return this.own;
  }

  get all(): readonly Cell[] {
    return this.table.cells;
  }

  get epoch(): number {
    return this.table.epoch;
  }

  /** Whether what has this id, or belongs to what has it, is kept in this cell. */
  isHere(id: string): boolean {
    return this.own === null || this.ownerOf(slotOf(id)) === this.own;
  }

  /**
   * For what says whose it is only when it has been read: a callback of a company, a token in a body. Throws
   * `KeptElsewhere`.
   */
  requireHere(slot: string): void {
    const cell = this.own === null ? undefined : this.ownerOf(slot);
    if (cell !== undefined && cell !== this.own) throw new KeptElsewhere(slot);
  }

  /** Who keeps a slot, three hexadecimal digits; undefined: nobody. */
  ownerOf(slot: string): Cell | undefined {
    return this.table.owners[slotNumber(slot)];
  }

  /** How many slots it keeps. */
  slotsOf(cell: Cell): number {
    return this.table.owners.filter((owner) => owner === cell).length;
  }

  /** An id for a new account: in a slot of this cell. */
  newAccountId(): string {
    if (this.own === null) return newId();
    const slots = [...this.table.owners.keys()].filter((slot) => this.table.owners[slot] === this.own);
    if (slots.length === 0) throw new ServiceUnavailable(`The cell ${this.own.name} keeps no slots.`);
    return newIdOf(slots[randomInt(slots.length)]!.toString(16).padStart(36, '0'));
  }

  /** As long as the transaction is open, the slot of the id stays in this cell. Throws `ServiceUnavailable`. */
  async keep(tx: Tx, id: string): Promise<void> {
    if (this.own === null) return;
    await tx.query(`SELECT pg_advisory_xact_lock_shared(${LOCK_SLOTS})`);
    const kept: unknown[] = await tx.query('SELECT 1 FROM cells WHERE name = $1 AND slots @> $2::integer', [
      this.own.name,
      slotNumber(slotOf(id)),
    ]);
    if (kept.length === 0) throw new ServiceUnavailable('The slot of the account has just moved to another cell.');
  }

  /** Reads the table again, now. What cannot be read stays as it is. */
  refresh(name = this.own!.name): Promise<void> {
    return (this.refreshing ??= this.read(name)
      .catch((error: unknown) => this.log.warn({ message: 'the table of slots could not be read', err: error }))
      .finally(() => (this.refreshing = null)));
  }

  private readAgain(name: string): void {
    if (this.isEnding) return;
    const after = this.isMoving ? REFRESH_MOVING_MS : REFRESH_MS;
    this.timer = setTimeout(() => void this.refresh(name).then(() => this.readAgain(name)), after).unref();
  }

  private async read(name: string): Promise<void> {
    const rows: CellRow[] = await this.dataSource.query(SELECT_CELLS);
    this.isMoving = rows.some(({ isMoving }) => isMoving);
    const epoch = Math.max(0, ...rows.map((row) => Number(row.epoch)));
    if (epoch === this.table.epoch && rows.length === this.table.cells.length) return;
    const owners = Array.from<Cell | undefined>({ length: SLOTS });
    for (const row of rows) for (const [i, from] of row.froms.entries()) owners.fill(row, from, row.befores[i]);
    this.table = { epoch, cells: rows, owners };
    this.own = rows.find((row) => row.name === name) ?? null;
  }
}

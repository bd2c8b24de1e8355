import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type Cell, Cells } from '../../../core/cells/cells';
import { CellAway, Forwarding } from '../../../core/cells/forwarding';
import { DomainError, ServiceUnavailable } from '../../../core/errors/domain-error';
import { newId, slotOf } from '../../../core/http/ids';
import type { Role } from '../roles';

/** What ties a person to an account of another cell. */
export interface Membership {
  readonly accountId: string;
  readonly accountName: string;
  readonly id: string;
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** ISO 8601. */
  readonly lastUsedAt: string | null;
}

interface Memberships {
  readonly all: readonly Membership[];
  /** Cells that did not say. */
  readonly away: readonly Cell[];
}

/** What cells ask each other about people and their sessions; `cell-people.controller.ts` answers. */
export type Question =
  | 'memberships'
  | 'open-account'
  | 'find-invitation'
  | 'join'
  | 'begin-session'
  | 'end-session'
  | 'end-token'
  | 'renew-session'
  | 'step-up'
  | 'record'
  | 'record-of-person';

const TIMEOUT_MS = 5_000;
/** Of a question to all cells, of which one may be away. */
const PATIENCE_MS = 2_000;
const STALE_MS = 5_000;

/** Asks the cells of accounts about the people of those: who is in a team, and whose session begins or ends. */
@Injectable()
export class OtherCells {
  private readonly known = new LRUCache<string, Memberships>({
    max: 10_000,
    ttl: STALE_MS,
    fetchMethod: (userId) => this.readMemberships(userId),
  });

  constructor(
    private readonly cells: Cells,
    private readonly forwarding: Forwarding,
  ) {}

  /** Whether there are several, so that what a person did must be known in all. */
  get areThere(): boolean {
    return this.cells.here !== null;
  }

  get all(): readonly Cell[] {
    return this.cells.all.filter((cell) => cell !== this.cells.here);
  }

  /** Whether what has the id, or belongs to what has it, is kept in this cell. */
  isHere(id: string): boolean {
    return this.cells.isHere(id);
  }

  /** The cell that keeps the id. Throws `ServiceUnavailable`. */
  ask<T>(id: string, question: Question, json: object): Promise<T> {
    return this.askKeeper(slotOf(id), question, json);
  }

  /** Likewise of a token, which says its slot; null for one that is kept in this cell, or by nobody. */
  async askOfToken<T>(token: string, question: Question, json: object): Promise<T | null> {
    const [slot] = /^[0-9a-f]{3}/.exec(token) ?? [];
    const cell = slot === undefined ? undefined : this.cells.ownerOf(slot);
    return slot === undefined || cell === undefined || cell === this.cells.here
      ? null
      : this.askKeeper(slot, question, json);
  }

  /** The cell of that name. Throws `ServiceUnavailable`. */
  askNamed<T>(name: string, question: Question, json: object): Promise<T> {
    const cell = this.cells.all.find((one) => one.name === name);
    if (cell === undefined) throw new ServiceUnavailable(`There is no cell ${name} any more.`);
    return this.send(cell, question, json, {});
  }

  /** All others at once. Whoever does not answer is `away`. */
  async askAll<T>(question: Question, json: object): Promise<{ answers: T[]; away: Cell[] }> {
    const others = this.all;
    const asked = await Promise.allSettled(
      others.map((cell) => this.send<T>(cell, question, json, { timeoutMs: PATIENCE_MS })),
    );
    return {
      answers: asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
      away: others.filter((_, i) => asked[i]!.status === 'rejected'),
    };
  }

  /** In all other cells; as of a moment ago, unless it must be known. */
  async membershipsOf(userId: string, { forceRefresh = false } = {}): Promise<Memberships> {
    if (!this.areThere) return { all: [], away: [] };
    return (await this.known.fetch(userId, { forceRefresh }))!;
  }

  /** The person came to an account, or left one. */
  forget(userId: string): void {
    this.known.delete(userId);
  }

  private async readMemberships(userId: string): Promise<Memberships> {
    const { answers, away } = await this.askAll<Membership[]>('memberships', { userId });
    return { all: answers.flat(), away };
  }

  private askKeeper<T>(slot: string, question: Question, json: object): Promise<T> {
    const cell = this.cells.ownerOf(slot);
    if (cell === undefined) throw new ServiceUnavailable('No cell keeps this account.');
    return this.send(cell, question, json, { slot });
  }

  private async send<T>(
    cell: Cell,
    question: Question,
    json: object,
    { slot, timeoutMs = TIMEOUT_MS }: { slot?: string; timeoutMs?: number },
  ): Promise<T> {
    const asked = { path: `/cells/people/${question}`, json, slot, requestId: newId(), timeoutMs };
    const answer = await this.forwarding.ask(cell, asked).catch((error: unknown) => {
      throw error instanceof DomainError ? error : new CellAway(cell, { cause: error });
    });
    if (answer.isWrong) await this.cells.refresh();
    if (answer.status !== 200) throw new CellAway(cell);
    return (answer.body as { answer: T }).answer;
  }
}

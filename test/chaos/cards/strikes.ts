import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Fault, killBackend, killPostmaster } from '../faults';
import type { Fleet } from './fleet';
import type { Size } from './sizes';
import type { Wire } from './wire';

export interface Target {
  readonly fleet: Fleet;
  readonly wire: Wire;
  /** Whose work says how far the run is. */
  readonly clients: { readonly begun: number };
}

type Strike = () => Promise<string>;

const POLL_MS = 20;
const PAUSE_MAX_MS = 500;
/** The share of the operations over which the kills are spread. */
const SPREAD = 0.75;

/** Kills processes with -9 while clients are at work. */
export class Strikes {
  readonly done: string[] = [];
  private apiKills = 0;
  private readonly starts: Promise<void>[] = [];

  constructor(
    private readonly target: Target,
    private readonly size: Pick<Size, 'operations' | 'apiKills' | 'postgresKills'>,
  ) {}

  /** Of processes whose start ended by itself. */
  get restarts(): number {
    return this.target.fleet.members.reduce((total, member) => total + member.restarts, 0);
  }

  async run(): Promise<void> {
    const plan = this.plan();
    for (const [round, strike] of plan.entries()) {
      while (this.target.clients.begun < (this.size.operations * SPREAD * round) / plan.length) await sleep(POLL_MS);
      await sleep(randomInt(PAUSE_MAX_MS));
      const told = await strike();
      this.done.push(told.split(',')[0]!);
      console.log(told);
    }
    await Promise.all(this.starts);
  }

  /** Those of PostgreSQL come evenly among those of the APIs. */
  private plan(): Strike[] {
    const { apiKills, postgresKills } = this.size;
    const rare = Array.from({ length: postgresKills }, () => [
      this.postgres('backend', killBackend),
      this.postgres('postmaster', killPostmaster),
    ]).flat();
    const plan: Strike[] = Array.from({ length: apiKills }, () => () => this.api());
    const gap = Math.floor(plan.length / (rare.length + 1)) + 1;
    for (const [index, strike] of rare.entries()) plan.splice((index + 1) * gap - 1, 0, strike);
    return plan;
  }

  /** Once it is at work again after the last one; the other may still be on its way. */
  private async api(): Promise<string> {
    const { members } = this.target.fleet;
    const victim = members[this.apiKills++ % members.length]!;
    await victim.untilReady();
    await victim.kill();
    this.starts.push(victim.untilReady());
    return `kill -9 ${victim.name}`;
  }

  /** How long it may be away is measured by `npm run test:chaos`, where nothing else is at work. */
  private postgres(what: string, fault: Fault): Strike {
    return async () =>
      `kill -9 PostgreSQL ${what}, ${(await fault({ service: this.target.fleet.service, load: this.target.wire })).said}`;
  }
}

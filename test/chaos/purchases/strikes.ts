import { setTimeout as sleep } from 'node:timers/promises';
import type { AccountTime } from './account-time';
import type { Clients } from './clients';
import type { Fleet } from './fleet';
import type { Member } from './member';
import type { Moment } from './moments';

/** In which moments the process that runs the workers is killed, and in which the APIs are, in turn. */
const WORKER_MOMENTS: readonly Moment[] = ['held', 'found', 'requeried'];
const API_MOMENTS: readonly Moment[] = ['held', 'asked', 'answered', 'settling'];

export const WHEN: Readonly<Record<Moment, string>> = {
  held: 'hold and attempt committed, provider not asked yet',
  asked: 'provider asked, no answer yet',
  answered: 'provider answered, settlement not begun',
  settling: 'while the answer is settled',
  requeried: 'provider asked again, no answer yet',
  found: 'requery brought evidence, settlement not begun',
};

export interface Kill {
  readonly process: string;
  readonly moment: Moment;
}

interface Target {
  readonly fleet: Fleet;
  readonly clients: Clients;
  readonly time: AccountTime;
}

const POLL_MS = 20;

/** Kills processes with -9 while clients buy. */
export class Strikes {
  readonly done: Kill[] = [];
  readonly wrong: string[] = [];

  /** `rounds`: how often an API is killed in each moment. */
  constructor(
    private readonly target: Target,
    private readonly rounds: number,
  ) {}

  /** `orders`: how many there will be. The kills are spread over the first three quarters of them. */
  async run(orders: number): Promise<void> {
    await Promise.all([this.killWorkers(orders), this.killApis(orders)]);
  }

  private async killWorkers(orders: number): Promise<void> {
    const {
      fleet: { worker },
      time,
    } = this.target;
    for (const [round, moment] of WORKER_MOMENTS.entries()) {
      await this.untilBegun((orders / 4) * round);
      // The workers do only what no advance of the clock did before them.
      await time.standStill(() => this.kill(worker, moment));
    }
  }

  private async killApis(orders: number): Promise<void> {
    const { apis } = this.target.fleet;
    const moments = Array.from({ length: this.rounds }, () => API_MOMENTS).flat();
    for (const [round, moment] of moments.entries()) {
      await this.untilBegun(((orders * 3) / 4) * (round / moments.length));
      const api = apis[round % apis.length]!;
      await this.kill(api, moment);
      await api.untilReady();
    }
  }

  private async kill(victim: Member, moment: Moment): Promise<void> {
    try {
      await victim.killAt(moment);
      this.done.push({ process: victim.name, moment });
      console.log(`kill -9 ${victim.name.padEnd(8)} ${WHEN[moment]}`);
    } catch (error) {
      this.wrong.push((error as Error).message);
    }
  }

  private async untilBegun(orders: number): Promise<void> {
    while (this.target.clients.begun < orders) await sleep(POLL_MS);
  }
}

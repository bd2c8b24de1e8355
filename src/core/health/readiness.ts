import { Injectable } from '@nestjs/common';
import { within } from '../process/work-under-way';

const PROBE_TIMEOUT_MS = 1000;

/** Whether this process should be sent requests: every dependency answers and it is not stopping. */
@Injectable()
export class Readiness {
  private readonly probes = new Map<string, () => Promise<unknown>>();
  private isStopping = false;
  private looking: Promise<string[]> | null = null;

  /** Whoever owns a connection says how to try it. The probe throws or hangs when the dependency is away. */
  watch(dependency: string, probe: () => Promise<unknown>): void {
    this.probes.set(dependency, probe);
  }

  /** From now on the process is not ready, whatever its dependencies say. */
  stop(): void {
    this.isStopping = true;
  }

  /** What keeps the process from being ready; empty when it is. */
  async obstacles(): Promise<string[]> {
    if (this.isStopping) return ['stopping'];
    // Whoever asks meanwhile shares the answer: anybody may ask.
    return (this.looking ??= this.look().finally(() => (this.looking = null)));
  }

  private async look(): Promise<string[]> {
    const names = [...this.probes.keys()];
    const answers = await Promise.all([...this.probes.values()].map(answersInTime));
    return names.filter((_, index) => !answers[index]);
  }
}

const answersInTime = (probe: () => Promise<unknown>): Promise<boolean> =>
  within(PROBE_TIMEOUT_MS, probe).then(
    () => true,
    () => false,
  );

import { Injectable } from '@nestjs/common';

const PROBE_TIMEOUT_MS = 1000;

/** Whether this process should be sent requests: every dependency answers and it is not stopping. */
@Injectable()
export class Readiness {
  private readonly probes = new Map<string, () => Promise<unknown>>();
  private isStopping = false;

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
    const names = [...this.probes.keys()];
    const answers = await Promise.all([...this.probes.values()].map(answersInTime));
    return names.filter((_, index) => !answers[index]);
  }
}

async function answersInTime(probe: () => Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, PROBE_TIMEOUT_MS, false);
  });
  const answered = Promise.resolve().then(probe).then(() => true, () => false);
  return Promise.race([answered, late]).finally(() => clearTimeout(timer));
}

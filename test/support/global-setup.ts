import { startServers, stopAbandonedServers, stopServers } from './servers';

export default async function globalSetup(): Promise<void> {
  await stopAbandonedServers();
  // jest calls no teardown when its set-up fails or when it is interrupted.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void stopServers().finally(() => process.exit(1)));
  }
  await startServers().catch(async (error: unknown) => {
    await stopServers();
    throw error;
  });
}

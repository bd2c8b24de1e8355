import { stopServers } from './servers';

export default async function globalTeardown(): Promise<void> {
  await stopServers();
}

import { randomUUID } from 'node:crypto';
import type { Partner, Service } from './service';

/** Minor units: enough for one wallet to pay for every transfer of a run. */
const MONEY = 100_000_000_000;
const AT_ONCE = 50;

/** An account with wallets full of test money, opened over HTTP like any other. */
export interface Bank {
  readonly partner: Partner;
  readonly wallets: readonly string[];
}

export async function openBank(service: Service, port: number, size: number): Promise<Bank> {
  const partner = await service.openPartner('Bank');
  return { partner, wallets: await openWallets(port, partner.key, size) };
}

export async function openWallets(port: number, key: string, size: number): Promise<string[]> {
  const wallets: string[] = [];
  while (wallets.length < size) {
    const count = Math.min(AT_ONCE, size - wallets.length);
    wallets.push(...(await Promise.all(Array.from({ length: count }, () => openWallet(port, key)))));
  }
  return wallets;
}

async function openWallet(port: number, key: string): Promise<string> {
  const { id } = await post<{ id: string }>(port, key, '/v4/wallets', { currency: 'NGN' });
  await post(port, key, `/v4/sandbox/wallets/${id}/credit`, { amount: MONEY });
  return id;
}

export function post<T>(port: number, key: string, path: string, body: object): Promise<T> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
  return call(port, key, path, { method: 'POST', headers, body: JSON.stringify(body) });
}

export async function call<T>(port: number, key: string, path: string, request: RequestInit = {}): Promise<T> {
  const headers = { ...request.headers, authorization: `Bearer ${key}` };
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { ...request, headers });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

import { Problem } from './problem';

/** Calls a route of the dashboard itself; those of the public API go through `publicApi`. */
export async function call<Body>(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<Body> {
  const response = await fetch(`/dashboard/api${path}`, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (!response.ok) throw await Problem.of(response);
  const text = await response.text();
  return (text === '' ? null : JSON.parse(text)) as Body;
}

/** `?a=1&b=2` of what is set. */
export function query(values: Record<string, string | number | boolean | null | undefined>): string {
  const set = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return set.length === 0
    ? ''
    : `?${new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString()}`;
}

import { Clock } from '../../src/core/clock/clock';
import { TOTP } from 'otpauth';
import { type Answer, expectDocumented } from './contract';
import type { Duka } from './duka';

export const PASSWORD = 'purple otters juggle tea';
const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

let people = 0;
export const newEmail = (): string => `person${++people}@example.com`;

/** A browser at the dashboard: keeps its cookie and says where its requests come from. */
export class Browser {
  /** Value of the session cookie. */
  token: string | null = null;

  constructor(
    private readonly duka: Duka,
    readonly email = newEmail(),
  ) {}

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.call('GET', path, undefined, headers);
  }

  post(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.call('POST', path, body, headers);
  }

  /** `path` below `/dashboard/api`. */
  async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const url = `/dashboard/api${path}`;
    const response = await fetch(this.duka.ownUrl + url, {
      method,
      headers: {
        ...SAME_ORIGIN,
        ...(this.token !== null && { cookie: `session=${this.token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    const answer = {
      status: response.status,
      headers: response.headers,
      body: /json/.test(response.headers.get('content-type') ?? '') && text ? JSON.parse(text) : text,
    };
    expectDocumented(method, url, answer);
    const set = /^session=([^;]*)/.exec(response.headers.get('set-cookie') ?? '')?.[1];
    if (set !== undefined) this.token = set || null;
    return answer;
  }

  signUp(more: object = {}): Promise<Answer> {
    return this.post('/auth/sign-up', {
      name: 'Ada',
      email: this.email,
      password: PASSWORD,
      account_name: 'Shop',
      ...more,
    });
  }

  logIn(more: object = {}): Promise<Answer> {
    return this.post('/auth/log-in', { email: this.email, password: PASSWORD, ...more });
  }

  stepUp(more: object = {}): Promise<Answer> {
    return this.post('/auth/step-up', { password: PASSWORD, ...more });
  }

  /** Another browser of the same person. */
  another(): Browser {
    return new Browser(this.duka, this.email);
  }
}

/** Somebody who has signed up. */
export async function newOwner(duka: Duka): Promise<Browser> {
  const browser = new Browser(duka);
  const { status, body } = await browser.signUp();
  if (status !== 201) throw new Error(JSON.stringify(body));
  return browser;
}

/** Somebody whom the owner has invited, signed in. */
export async function newMember(duka: Duka, owner: Browser, role: string): Promise<Browser> {
  const member = new Browser(duka);
  await owner.stepUp();
  const { body } = await owner.post('/team', { email: member.email, name: role, role });
  const { status } = await member.post('/auth/accept-invite', { token: tokenOf(body.invite_url), password: PASSWORD });
  if (status !== 200) throw new Error(`${role} could not join`);
  return member;
}

export const tokenOf = (inviteUrl: string): string => new URL(inviteUrl, 'http://localhost').searchParams.get('token')!;

/** The time by which sessions and codes are judged; moves only when it is told to. */
export class SessionTime {
  private ms = 0;

  constructor(duka: Duka) {
    jest.spyOn(duka.get<Clock>(Clock), 'now').mockImplementation(async () => this.now());
  }

  now(): Date {
    return new Date(Date.now() + this.ms);
  }

  pass(seconds: number): void {
    this.ms += seconds * 1_000;
  }

  codeOf(secret: string): string {
    return new TOTP({ secret }).generate({ timestamp: this.now().getTime() });
  }
}

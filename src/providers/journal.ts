import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Counter } from 'prom-client';
import { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { bulkInsert, combineWrites } from '../core/database/bulk';
import { lowestIdAt, newIdOf, timeOf } from '../core/http/ids';
import { registry } from '../core/metrics/metrics';
import { SecretBox } from '../core/secrets/secret-box';
import { REDACTED, redactText } from '../core/text/redacted';
import { isSecretName, METER_TOKEN, snakeOf, wordsOf } from '../core/text/scrubbed';
import type { RoutedProduct } from '../vocabulary/products';
import { secretsHider } from './secrets-hider';

/** About what somebody is asked: for the journal. */
export interface Asked {
  readonly product: RoutedProduct;
  readonly provider: string;
  readonly accountId: string;
  readonly livemode: boolean;
  /** Uuid of the transaction, payment or card; of what is about none of them, such as a rate, another name. */
  readonly id: string;
  readonly call: string;
}

/** One request to a company, and its answer. */
export interface Exchange {
  readonly company: string;
  /** On whose behalf; null: on our own, such as for a balance. */
  readonly asked: Asked | null;
  readonly method: string;
  readonly path: string;
  /** Null: no answer came, and `fault` says why. */
  readonly status: number | null;
  readonly fault: string | null;
  readonly durationMs: number;
  /** Bodies as they were sent; null: there was none, or it is nobody's to see. */
  readonly request: string | null;
  readonly answer: string | null;
}

/** As it was kept: without secrets. */
export interface KeptExchange extends Omit<Exchange, 'asked'> {
  readonly id: string;
  readonly at: Date;
  readonly call: string | null;
  readonly product: string | null;
  /** Uuid of the transaction, payment or card; null: it is about none of them. */
  readonly about: string | null;
}

const insertExchange = bulkInsert('provider_exchanges', {
  account_id: 'uuid',
  livemode: 'boolean',
  id: 'uuid',
  about: 'uuid?',
  company: 'text',
  product: 'text?',
  call: 'text?',
  method: 'text',
  status: 'integer?',
  fault: 'text?',
  duration_ms: 'integer',
  box: 'bytea',
});

/** What is asked on nobody's behalf is the platform's. */
const OUR_OWN = '00000000-0000-0000-0000-000000000000';
const FLUSH_MS = 200;
const BATCH_MAX = 500;
const WAITING_MAX = 5_000;
/** Of a body. */
const CHARS_MAX = 16_384;
const DAYS_KEPT = 90;
const DAY_MS = 24 * 3_600_000;

const dropped = new Counter({
  name: 'provider_exchanges_dropped_total',
  help: 'Exchanges with providers that could not be kept in the journal.',
  registers: [registry],
});

const COLUMNS = `id, about, company, product, call, method, status, fault, duration_ms AS "durationMs", box`;

interface Row extends Omit<KeptExchange, 'at' | 'path' | 'request' | 'answer'> {
  readonly box: Buffer;
}

/**
 * What was said to companies and what they answered, for 90 days: sealed, without keys, tokens and PINs. Written off
 * the way of whoever asks: an exchange of the last moment may be lost when a process is killed.
 */
@Injectable()
export class Journal implements BeforeApplicationShutdown {
  private readonly log = new Logger('providers');
  private waiting: Waiting[] = [];
  private timer: NodeJS.Timeout | null = null;
  private flushing: Promise<void> = Promise.resolve();
  private readonly hideSecrets = secretsHider();

  constructor(
    private readonly dataSource: DataSource,
    private readonly box: SecretBox,
  ) {}

  note(exchange: Exchange): void {
    if (this.waiting.length >= WAITING_MAX) return dropped.inc();
    this.waiting.push({ ...exchange, id: newIdOf(exchange.asked?.accountId ?? OUR_OWN) });
    this.timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.flush();
  }

  /** Writes what waits. */
  flush(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    return (this.flushing = this.flushing.then(() => this.writeWaiting()));
  }

  /** About a transaction, payment or card, by uuid; oldest first. */
  async about(accountId: string, about: string): Promise<KeptExchange[]> {
    const rows: Row[] = await this.dataSource.query(
      `SELECT ${COLUMNS} FROM provider_exchanges WHERE account_id = $2 AND about = $1 AND id >= $3 ORDER BY id`,
      [about, accountId, this.oldest()],
    );
    return rows.map((row) => this.opened(row));
  }

  /** The last ones with a company, newest first. */
  async latest(company: string, limit: number): Promise<KeptExchange[]> {
    const rows: Row[] = await this.dataSource.query(
      `SELECT ${COLUMNS} FROM provider_exchanges WHERE company = $1 AND id >= $2 ORDER BY id DESC LIMIT $3`,
      [company, this.oldest(), limit],
    );
    return rows.map((row) => this.opened(row));
  }

  private oldest(): string {
    return lowestIdAt(new Date(Date.now() - DAYS_KEPT * DAY_MS));
  }

  private opened({ box, ...row }: Row): KeptExchange {
    const said = JSON.parse(this.box.open(box, row.id)) as Pick<Exchange, 'path' | 'request' | 'answer'>;
    return { ...row, ...said, at: timeOf(row.id) };
  }

  private async writeWaiting(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, BATCH_MAX);
      try {
        const { query, params } = combineWrites(batch.map((each) => insertExchange.row(this.rowOf(each))));
        await this.dataSource.query(query.text, params);
      } catch (error) {
        dropped.inc(batch.length);
        this.log.warn({ message: 'exchanges with providers could not be kept', exchanges: batch.length, err: error });
      }
    }
  }

  private rowOf({ id, company, asked, method, path, status, fault, durationMs, request, answer }: Waiting) {
    const rules = asked?.product === 'identity' ? WITHOUT_PERSON : USUAL;
    const scrub = <Text extends string | null>(text: Text) => this.scrub(text, rules);
    const said = { path: scrub(path), request: scrub(request), answer: scrub(answer) };
    return {
      id,
      account_id: asked?.accountId ?? OUR_OWN,
      livemode: asked?.livemode ?? true,
      about: asked !== null && isUuid(asked.id) ? asked.id : null,
      company,
      product: asked?.product ?? null,
      call: asked?.call ?? null,
      method,
      status,
      fault,
      duration_ms: durationMs,
      box: this.box.seal(JSON.stringify(said), id),
    };
  }

  /** Fields that are secret by their name, wherever they stand; and every secret of our settings. */
  private scrub<Text extends string | null>(text: Text, { isSecret, numbers }: Rules): Text {
    if (text === null) return text;
    const hide = (said: string): string => redactText(said).replace(numbers, REDACTED);
    let scrubbed: string;
    try {
      scrubbed = JSON.stringify(JSON.parse(text), (name: string, value: unknown) => {
        if (isSecret(name) && value !== null && value !== '') return REDACTED;
        return typeof value === 'string' ? hide(value) : value;
      });
    } catch {
      scrubbed = hide(
        text.replace(FORM_FIELD, (whole: string, before: string, name: string) =>
          partsOf(name).some(isSecret) ? `${before}${name}=${REDACTED}` : whole,
        ),
      );
    }
    return this.hideSecrets(scrubbed).slice(0, CHARS_MAX).toWellFormed() as Text;
  }
}

type Waiting = Exchange & { readonly id: string };

/** Who somebody is: of what is asked about identities and answered nothing but the verdict is kept. */
const PERSONAL_NAMES = wordsOf(`
  first_name firstname middle_name middlename last_name lastname surname full_name given_names name
  email phone phone_number phone_number1 phone_number2 telephoneno gender address residential_address
  photo image document full_data
`);
/** Of documents: a NIN and a BVN have eleven digits. The end of a uuid may be as long. */
const LONG_NUMBER = /(?<!\d|[0-9a-f]{4}-)\d{11,}(?!\d)/gi;
const FORM_FIELD = /(^|[&?])([^=&?]+)=([^&]*)/g;

/** What is not kept of an exchange. */
interface Rules {
  readonly isSecret: (name: string) => boolean;
  readonly numbers: RegExp;
}

/** `individual[dob][year]` is a date of birth, too. What only looks like a field of a form is one word. */
function partsOf(name: string): string[] {
  try {
    return decodeURIComponent(name).split(/[[\]]+/);
  } catch {
    return [name];
  }
}

const USUAL: Rules = { isSecret: isSecretName, numbers: METER_TOKEN };
const WITHOUT_PERSON: Rules = {
  isSecret: (name) => isSecretName(name) || PERSONAL_NAMES.has(snakeOf(name)),
  numbers: LONG_NUMBER,
};

import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Env } from '../config/env';
import type { Tx } from '../database/unit-of-work';
import { newId } from '../http/ids';
import { publicUrl } from '../http/request-context';
import { isReachedByOthers } from '../http/this-machine';
import { SecretBox } from '../secrets/secret-box';
import { type Content, contentOf, type Letter } from './letter';

/**
 * What becomes of mail: it is sent; or, on a developer's own machine, only kept for them to read; or there is none.
 */
export const MAIL_WAYS = ['smtp', 'mailbox', 'none'] as const;
export type MailWay = (typeof MAIL_WAYS)[number];

export interface NewMail {
  /** What it is about, `<thing>.<done>`: for logs. */
  readonly kind: string;
  readonly to: string;
  readonly letter: Letter;
  /** Later than so many seconds it is not worth sending. */
  readonly goodForSeconds: number;
}

/** A mail that would have been sent. */
export interface KeptMail extends Content {
  readonly id: string;
  readonly to: string;
  readonly createdAt: Date;
}

const KEPT_SHOWN = 50;

const INSERT = `
  INSERT INTO mails (id, kind, recipient, content, status, until)
  VALUES ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))`;
const SELECT_KEPT = `
  SELECT id, recipient, content, created_at FROM mails
   WHERE status = 'kept' ORDER BY id DESC LIMIT ${KEPT_SHOWN}`;
const HAS_LIVE_MODE = 'SELECT EXISTS (SELECT 1 FROM accounts WHERE live_enabled) AS found';

interface KeptRow {
  id: string;
  recipient: string;
  content: Buffer;
  created_at: Date;
}

/** Writes mail down in the transaction of what causes it; `MailSender` sends it afterwards. */
@Injectable()
export class MailsService {
  constructor(
    private readonly env: Env,
    private readonly box: SecretBox,
    private readonly dataSource: DataSource,
  ) {}

  /**
   * Kept where only this machine reaches the service, and nobody has real money: whoever reads kept mail can get in as
   * anybody.
   */
  async way(db: EntityManager = this.dataSource.manager): Promise<MailWay> {
    if (this.env.SMTP_URL !== undefined) return 'smtp';
    if (isReachedByOthers(this.env)) return 'none';
    const [row] = await db.query<{ found: boolean }[]>(HAS_LIVE_MODE);
    return row!.found ? 'none' : 'mailbox';
  }

  /** Where there is no mail, nothing is written either: what could be sent later would be a surprise by then. */
  async add(tx: Tx, { kind, to, letter, goodForSeconds }: NewMail): Promise<void> {
    const way = await this.way(tx);
    if (way === 'none') return;
    const id = newId();
    const content = this.box.seal(JSON.stringify(contentOf(letter, publicUrl(this.env))), id);
    await tx.query(INSERT, [id, kind, to, content, way === 'smtp' ? 'due' : 'kept', goodForSeconds]);
  }

  /** What was kept, newest first. */
  async listKept(): Promise<KeptMail[]> {
    const rows = await this.dataSource.query<KeptRow[]>(SELECT_KEPT);
    return rows.map(({ id, recipient: to, content, created_at: createdAt }) => ({
      id,
      to,
      createdAt,
      ...(JSON.parse(this.box.open(content, id)) as Content),
    }));
  }
}

import { Injectable, Logger } from '@nestjs/common';
import type { Transporter } from 'nodemailer';
import { DataSource } from 'typeorm';
import { Env } from '../config/env';
import { Recurring } from '../queue/recurring-jobs';
import { SecretBox } from '../secrets/secret-box';
import { isLoopback } from '../text/ip-address';
import type { Content } from './letter';

const SEND_EVERY_MS = 5_000;
const DAY_MS = 24 * 3_600_000;
const RUN_MAX = 200;
const WAIT_MS = 10_000;
/** Longer than one try takes. Who crashes before the outcome is written sends once more, with the same Message-ID. */
const LEASE_SECONDS = 300;
const BACKOFF_SECONDS = 30;
const BACKOFF_SECONDS_MAX = 3_600;
const KEPT_DAYS = 30;

const CLAIM = `
  UPDATE mails SET attempts = attempts + 1, due_at = now() + make_interval(secs => ${LEASE_SECONDS})
   WHERE id = (SELECT id FROM mails WHERE status = 'due' AND due_at <= now() AND until > now()
                ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING id, kind, recipient, content, attempts`;
const FINISH = `
  UPDATE mails SET status = $3, content = NULL, failure = $4 WHERE id = $1 AND attempts = $2 AND status = 'due'`;
const PUT_OFF = `
  UPDATE mails SET due_at = now() + make_interval(secs => $3), failure = $4
   WHERE id = $1 AND attempts = $2 AND status = 'due'`;
const GIVE_UP = `
  UPDATE mails SET status = 'failed', content = NULL, failure = coalesce(failure, 'too_late')
   WHERE status = 'due' AND until <= now() RETURNING id, kind, failure`;
const PURGE = `DELETE FROM mails WHERE created_at < now() - interval '${KEPT_DAYS} days' AND status <> 'due'`;

interface Due {
  id: string;
  kind: string;
  recipient: string;
  content: Buffer;
  attempts: number;
}

/** The answer of a mail server, or what happened instead. */
interface SmtpError {
  readonly code?: string;
  readonly responseCode?: number;
}

const CODE_OF_RECIPIENT = 500;

/** Sends what was written down: each mail once, as far as SMTP allows. */
@Injectable()
export class MailSender {
  private readonly log = new Logger('mail');

  constructor(
    private readonly env: Env,
    private readonly box: SecretBox,
    private readonly dataSource: DataSource,
  ) {}

  /** Throws nothing that a mail server says: that is in the log, and the mail is tried again. */
  @Recurring({ name: 'mails.send', everyMs: SEND_EVERY_MS })
  async send(): Promise<void> {
    const { SMTP_URL } = this.env;
    if (SMTP_URL === undefined) return;
    const [lost] = await this.dataSource.query<[{ id: string; kind: string; failure: string }[], number]>(GIVE_UP);
    for (const mail of lost) this.log.warn({ msg: 'a mail was not sent in time', mail });
    const { createTransport } = await import('nodemailer');
    const transport = createTransport(transportOf(new URL(SMTP_URL)));
    try {
      for (let sent = 0; sent < RUN_MAX; sent++) {
        const mail = await this.claim();
        if (mail === undefined || !(await this.attempt(mail, transport))) return;
      }
    } finally {
      transport.close();
    }
  }

  @Recurring({ name: 'mails.purge', everyMs: DAY_MS })
  async purge(): Promise<void> {
    await this.dataSource.query(PURGE);
  }

  /** TypeORM answers an UPDATE with its rows and their number. */
  private async claim(): Promise<Due | undefined> {
    const [[mail]] = await this.dataSource.query<[Due[], number]>(CLAIM);
    return mail;
  }

  /** False: the server is away or refuses us, and would refuse the next mail, too. */
  private async attempt(mail: Due, transport: Transporter): Promise<boolean> {
    const { id, attempts } = mail;
    try {
      await transport.sendMail(this.messageOf(mail));
    } catch (error) {
      return this.fail(mail, error as SmtpError);
    }
    await this.dataSource.query(FINISH, [id, attempts, 'sent', null]);
    return true;
  }

  private messageOf({ id, recipient, content }: Due) {
    const { subject, text, html } = JSON.parse(this.box.open(content, id)) as Content;
    const from = this.env.MAIL_FROM!;
    const domain = from.slice(from.lastIndexOf('@') + 1).replace('>', '');
    return {
      from,
      // As an object: no parser of addresses decides to whom it goes.
      to: { name: '', address: recipient },
      subject,
      text,
      html,
      messageId: `<${id}@${domain}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      disableFileAccess: true,
      disableUrlAccess: true,
    };
  }

  private async fail({ id, kind, attempts }: Due, { code = 'unknown', responseCode }: SmtpError): Promise<boolean> {
    const failure = responseCode === undefined ? code : `${code} ${responseCode}`;
    const isOfThisMail = code === 'EENVELOPE' || code === 'EMESSAGE';
    const isFinal = isOfThisMail && (responseCode ?? CODE_OF_RECIPIENT) >= CODE_OF_RECIPIENT;
    // Neither the address nor what the server wrote: both may be about a person.
    this.log.warn({ msg: 'a mail could not be sent', id, kind, attempts, failure, final: isFinal });
    const wait = Math.min(BACKOFF_SECONDS * 2 ** (attempts - 1), BACKOFF_SECONDS_MAX);
    if (isFinal) await this.dataSource.query(FINISH, [id, attempts, 'failed', failure]);
    else await this.dataSource.query(PUT_OFF, [id, attempts, wait, failure]);
    return isOfThisMail;
  }
}

function transportOf({ protocol, hostname, port, username, password }: URL) {
  const secure = protocol === 'smtps:';
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port ? Number.parseInt(port, 10) : secure ? 465 : 587,
    secure,
    // Links that let people in go over no wire in the clear.
    requireTLS: !secure && !isLoopback(hostname),
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: WAIT_MS,
    greetingTimeout: WAIT_MS,
    socketTimeout: 2 * WAIT_MS,
  };
}

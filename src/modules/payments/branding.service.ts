import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Tx } from '../../core/database/unit-of-work';
import { FieldRefused, found } from '../../core/errors/domain-error';
import { encodeId } from '../../core/http/ids';
import { LOGO_BYTES_MAX, LOGO_PIXELS_MAX, type LogoType, pictureOf } from './checkout/logo';

/** What an account chose for its checkout pages. */
export interface Look {
  /** Null: the account's own name. */
  readonly name: string | null;
  /** `#rrggbb`; null: ours. */
  readonly colour: string | null;
}

/** Who is paid, as payers see it. */
export interface Branding extends Look {
  readonly accountName: string;
  /** Path of the logo. It names the content: another logo has another one. */
  readonly logoUrl: string | null;
  readonly timeZone: string;
}

interface Row extends Omit<Branding, 'logoUrl'> {
  readonly logoHash: string | null;
}

const SELECT = `
  SELECT a.name AS "accountName", a.time_zone AS "timeZone", b.name, b.colour, b.logo_hash AS "logoHash"
    FROM accounts a LEFT JOIN account_brandings b ON b.account_id = a.id WHERE a.id = $1`;
const SET = `
  INSERT INTO account_brandings (account_id, name, colour) VALUES ($1, $2, $3)
  ON CONFLICT ON CONSTRAINT account_brandings_pkey
  DO UPDATE SET name = excluded.name, colour = excluded.colour, updated_at = excluded.updated_at`;
const SET_LOGO = `
  INSERT INTO account_brandings (account_id, logo) VALUES ($1, $2)
  ON CONFLICT ON CONSTRAINT account_brandings_pkey
  DO UPDATE SET logo = excluded.logo, updated_at = excluded.updated_at`;
const SELECT_LOGO = `SELECT logo FROM account_brandings WHERE account_id = $1 AND logo_hash = $2`;

/** The name, colour and logo of an account on the pages on which people pay. */
@Injectable()
export class BrandingService {
  constructor(private readonly dataSource: DataSource) {}

  /** Throws `NotFound`. */
  async require(accountId: string): Promise<Branding> {
    const [row]: Row[] = await this.dataSource.query(SELECT, [accountId]);
    const { logoHash, ...rest } = found(row, 'account');
    return { ...rest, logoUrl: logoHash && `/checkout/logos/${encodeId('acct', accountId)}/${logoHash}` };
  }

  async set(tx: Tx, accountId: string, { name, colour }: Look): Promise<void> {
    await tx.query(SET, [accountId, name, colour]);
  }

  /** Null takes it away. Throws `FieldRefused`. */
  async setLogo(tx: Tx, accountId: string, logo: Buffer | null): Promise<void> {
    if (logo !== null) checkLogo(logo);
    await tx.query(SET_LOGO, [accountId, logo]);
  }

  /** Null where the account has no logo of this content. */
  async findLogo(accountId: string | null, hash: string): Promise<{ type: LogoType; bytes: Buffer } | null> {
    if (accountId === null) return null;
    const [row]: { logo: Buffer }[] = await this.dataSource.query(SELECT_LOGO, [accountId, hash]);
    return row ? { type: pictureOf(row.logo)!.type, bytes: row.logo } : null;
  }
}

function checkLogo(bytes: Buffer): void {
  const refuse = (detail: string) => new FieldRefused('/logo', `The logo ${detail}`);
  if (bytes.length > LOGO_BYTES_MAX) throw refuse(`has ${bytes.length} bytes: it may have ${LOGO_BYTES_MAX} at most.`);
  const picture = pictureOf(bytes);
  if (picture === null) throw refuse('must be a whole PNG, JPEG or WebP file, whatever its name says.');
  const { width, height } = picture;
  if (Math.min(width, height) < 1 || Math.max(width, height) > LOGO_PIXELS_MAX)
    throw refuse(`is ${width} × ${height} pixels: no side may have more than ${LOGO_PIXELS_MAX}.`);
}

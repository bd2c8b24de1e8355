import { field, Label } from '../../../core/http/fields';
import type { Branding } from '../../payments/branding.service';

const COLOUR = /^#[0-9a-f]{6}$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** As much as fits into a body: the service says how much a logo may have. */
const BASE64_CHARS_MAX = 65_000;

/** What is left out is again as it is without a choice. */
export class SetBrandingDto {
  @Label({ optional: true, example: 'Ada’s Shoes', description: 'Left out: the name of the account.' })
  name?: string | null;

  @field(
    { type: 'string', pattern: COLOUR.source, maxLength: 7, example: '#0b5c3f', description: 'Left out: ours.' },
    [
      {
        name: 'colour',
        says: 'must be a colour such as #0b5c3f',
        holds: (value) => typeof value === 'string' && COLOUR.test(value),
      },
    ],
    { optional: true },
  )
  colour?: string | null;
}

export class SetLogoDto {
  @field(
    { type: 'string', format: 'byte', minLength: 4, maxLength: BASE64_CHARS_MAX, description: 'PNG, JPEG or WebP.' },
    [
      {
        name: 'base64',
        says: `must be a file in base64, of at most ${BASE64_CHARS_MAX} characters`,
        holds: (value) =>
          typeof value === 'string' && value.length > 0 && value.length <= BASE64_CHARS_MAX && BASE64.test(value),
      },
    ],
  )
  logo: string;
}

/** What payers see of the account on the pages on which they pay. */
export class BrandingDto {
  /** Null: `account_name` is shown. */
  name: string | null;
  account_name: string;
  /** Null: ours. */
  colour: string | null;
  /** Path of the logo on this service; null without one. */
  logo_url: string | null;

  static of(this: void, { name, accountName, colour, logoUrl }: Branding): BrandingDto {
    return { name, account_name: accountName, colour, logo_url: logoUrl };
  }
}

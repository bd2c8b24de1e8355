import { type Language, LANGUAGES } from './messages';

const COOKIE = 'checkout_language';
const COOKIE_SECONDS = 30 * 24 * 3_600;

/** Of a request. */
interface Asked {
  readonly query: unknown;
  readonly headers: { readonly cookie?: string; readonly 'accept-language'?: string };
}

const known = (value: unknown): Language | undefined =>
  typeof value === 'string' && Object.hasOwn(LANGUAGES, value) ? (value as Language) : undefined;

const askedFor = ({ query }: Pick<Asked, 'query'>): Language | undefined => known((query as { lang?: unknown }).lang);

/** What was chosen on the page or in its address, then the first that the browser names and we speak, then English. */
export const languageOf = (request: Asked): Language =>
  askedFor(request) ??
  known(new RegExp(`(?:^|; ?)${COOKIE}=(\\w+)`).exec(request.headers.cookie ?? '')?.[1]) ??
  preferred(request.headers['accept-language'] ?? '') ??
  'en';

/** By weight, and of equal ones the first: `yo-NG, fr;q=0.8`. */
function preferred(header: string): Language | undefined {
  const ranges = header.split(',').map((range) => {
    const [tag = '', weight = '1'] = range.split(/;\s*q=/);
    return { language: known(tag.trim().toLowerCase().split('-')[0]), weight: weight.trim() };
  });
  // As text: weights have one digit before the point.
  return ranges
    .filter(({ language, weight }) => language !== undefined && /[1-9]/.test(weight))
    .sort((a, b) => (a.weight < b.weight ? 1 : a.weight > b.weight ? -1 : 0))[0]?.language;
}

/**
 * What was chosen stays when the payer comes back from a gateway, whose addresses carry no language: by this cookie.
 * Null where nothing was chosen.
 */
export function languageCookie(request: Pick<Asked, 'query'> & { readonly protocol: string }): string | null {
  const language = askedFor(request);
  if (language === undefined) return null;
  const secure = request.protocol === 'https' ? ' Secure;' : '';
  return `${COOKIE}=${language}; Path=/checkout; Max-Age=${COOKIE_SECONDS};${secure} HttpOnly; SameSite=Lax`;
}

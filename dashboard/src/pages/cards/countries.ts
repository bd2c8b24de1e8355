const NAMES = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** ISO 3166-1 alpha-2 of countries from which cards are used here; any other two letters are taken, too. */
export const COUNTRY_CODES = (
  'AE AT AU BE BF BJ BR CA CD CF CG CH CI CM CN CY DE DK DZ EE EG ES ET FI FR GA GB GH GM GN GR HK IE IL IN IR IT JP KE ' +
  'KP KR LB LR LT LU LY MA ML MR MT MU MW MX MY MZ NA NE NG NL NO NZ PH PK PL PT QA RO RU RW SA SD SE SG SL SN TG TH TN ' +
  'TR TZ UA UG US VN ZA ZM ZW'
).split(' ');

/** "Nigeria"; undefined: no country has the code. Of what is no code at all, too: merchants' data are the issuer's. */
export const countryName = (code: string): string | undefined => (/^[A-Z]{2}$/.test(code) ? NAMES.of(code) : undefined);

/** "Nigeria (NG)". */
export const countryText = (code: string): string => `${countryName(code) ?? 'Country'} (${code})`;

/** What VTpass sells, as far as it is pretended. */
export interface Service {
  readonly name: string;
  /** As `type` of a transaction says it. */
  readonly type: string;
  /** Hundredths of a percent of the price that VTpass leaves. */
  readonly commissionBps: number;
  /** Kobo by variation code; absent: any amount. */
  readonly prices?: Readonly<Record<string, number>>;
  readonly goods?: 'token' | 'cards' | 'tokens' | 'pin';
  /** Kobo. */
  readonly min?: number;
}

const meter = (name: string): Service => ({
  name,
  type: 'Electricity Bill',
  commissionBps: 150,
  goods: 'token',
  min: 500_00,
});
const airtime = (name: string, commissionBps: number): Service => ({
  name,
  type: 'Airtime Recharge',
  commissionBps,
  min: 5_00,
});
const tv = (name: string, commissionBps: number, prices: Record<string, number>): Service => ({
  name,
  type: 'TV Subscription',
  commissionBps,
  prices,
});
const data = (name: string, prices: Record<string, number>): Service => ({
  name,
  type: 'Data Services',
  commissionBps: 400,
  prices,
});

export const SERVICES: Readonly<Record<string, Service>> = {
  mtn: airtime('MTN Airtime VTU', 350),
  airtel: airtime('Airtel Airtime VTU', 340),
  glo: airtime('GLO Airtime VTU', 400),
  etisalat: airtime('9mobile Airtime VTU', 400),
  'mtn-data': data('MTN Data', { 'mtn-10mb-100': 100_00, 'mtn-50mb-200': 200_00, 'mtn-100mb-1000': 1_000_00 }),
  'airtel-data': data('Airtel Data', { 'airt-100': 100_00 }),
  'glo-data': data('GLO Data', { glo100: 100_00 }),
  'glo-sme-data': data('GLO Data (SME)', { 'glo-dg-50': 50_00 }),
  'etisalat-data': data('9mobile Data', { 'eti-100': 100_00 }),
  '9mobile-sme-data': data('9mobile SME Data', { 'eti-sme-100': 100_00 }),
  'ikeja-electric': meter('Ikeja Electric Payment - IKEDC'),
  'eko-electric': meter('Eko Electric Payment - EKEDC'),
  'abuja-electric': meter('Abuja Electricity Distribution Company- AEDC'),
  'kano-electric': meter('KEDCO - Kano Electric'),
  'portharcourt-electric': meter('PHED - Port Harcourt Electric'),
  'jos-electric': meter('Jos Electric - JED'),
  'kaduna-electric': meter('Kaduna Electric - KAEDCO'),
  'ibadan-electric': meter('IBEDC - Ibadan Electricity Distribution Company'),
  'enugu-electric': meter('Enugu Electric - EEDC'),
  'benin-electric': meter('Benin Electricity - BEDC'),
  'yola-electric': meter('Yola Electric - YEDC'),
  'aba-electric': meter('Aba Electric Payment - ABEDC'),
  dstv: tv('DSTV Subscription', 150, {
    'dstv-padi': 1_850_00,
    'dstv-yanga': 2_565_00,
    'dstv-confam': 4_615_00,
    dstv79: 7_900_00,
    dstv3: 18_400_00,
    dstv7: 12_400_00,
    dstv33: 20_900_00,
  }),
  gotv: tv('Gotv Payment', 150, {
    'gotv-lite': 410_00,
    'gotv-max': 3_600_00,
    'gotv-jolli': 2_460_00,
    'gotv-jinja': 1_640_00,
  }),
  startimes: tv('Startimes Subscription', 250, {
    nova: 900_00,
    basic: 1_700_00,
    smart: 2_200_00,
    classic: 2_500_00,
    super: 4_200_00,
  }),
  'smile-direct': data('Smile Payment', { '516': 510_00, '413': 1_020_00 }),
  waec: {
    name: 'WAEC Result Checker PIN',
    type: 'Education',
    commissionBps: 1_111,
    prices: { waecdirect: 900_00 },
    goods: 'cards',
  },
  'waec-registration': {
    name: 'WAEC Registration PIN',
    type: 'Education',
    commissionBps: 104,
    prices: { 'waec-registraion': 14_450_00 },
    goods: 'tokens',
  },
  jamb: {
    name: 'JAMB PIN VENDING (UTME & Direct Entry)',
    type: 'Education',
    commissionBps: 130,
    prices: { 'utme-mock': 7_700_00, 'utme-no-mock': 6_200_00, de: 4_700_00 },
    goods: 'pin',
  },
};

/** Numbers of VTpass's own sandbox that make something else happen than a sale. */
export const MAGIC = {
  '201000000000': 'pends',
  '500000000000': 'answers_unexpectedly',
  '400000000000': 'stays_silent',
  '300000000000': 'answers_late',
} as const;

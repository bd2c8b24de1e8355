import { bodyOf, publicApi, type Schemas } from '../../api/public-api';

const api = publicApi('test');
const AMOUNT_MINOR = 10_000;

/** Answers at once with what is known; the page of the transaction tells the rest. */
const AT_ONCE = { Prefer: 'wait=1' };

export function buyAirtime(
  phone: string,
  key: string,
  headers: Record<string, string> = {},
  amount = AMOUNT_MINOR,
): Promise<Schemas['Transaction']> {
  return bodyOf(
    api.POST('/v4/airtime/purchase', {
      params: { header: { ...AT_ONCE, 'Idempotency-Key': key } },
      headers,
      body: { phone, amount, allow_duplicate: true },
    }),
  );
}

type Customer = Schemas['BillCustomerScenario'];
const word = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Pays a bill as a program would: validates first where the biller wants it. */
export async function payBill(
  { customer_identifier, example }: Customer,
  key: string,
): Promise<Schemas['Transaction']> {
  const asked = {
    customer_identifier,
    biller_code: word(example.biller_code) ?? '',
    item_code: word(example.item_code),
    service_type: word(example.service_type),
  };
  const validation = (await needsValidation(asked.biller_code))
    ? await bodyOf(api.POST('/v4/bills/validate', { body: asked as Schemas['ValidateCustomer'] }))
    : null;
  const amount = typeof example.amount === 'number' ? example.amount : validation?.renewal_amount;
  const body = {
    ...asked,
    ...example,
    validation_id: validation?.id ?? null,
    amount: amount ?? null,
    allow_duplicate: true,
  };
  return bodyOf(
    api.POST('/v4/bills/pay', {
      params: { header: { ...AT_ONCE, 'Idempotency-Key': key } },
      body: body as Schemas['PayBill'],
    }),
  );
}

async function needsValidation(billerCode: string): Promise<boolean> {
  const { data } = await bodyOf(api.GET('/v4/bills/billers', { params: { query: { limit: 100 } } }));
  return data.find(({ code }) => code === billerCode)?.validation_required ?? false;
}

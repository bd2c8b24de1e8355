import { SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { bodyOf, type Schemas } from '../../api/public-api';
import { useMay } from '../../session/use-may';
import type { Currency } from '../../ui/money';
import { useApi, useMode } from '../../ui/use-mode';
import { AccountName, useAccountName } from '../beneficiaries/account-name';
import { type Bank, BankPicker } from '../beneficiaries/bank-picker';
import { type Beneficiary, BeneficiaryPicker } from '../beneficiaries/beneficiary-picker';

/** Who is paid, as an order says it; null: not known yet. */
export interface Payee {
  readonly order: Pick<Schemas['CreatePayout'], 'bank' | 'account_name' | 'beneficiary_id'>;
  readonly name: string;
  readonly account: string;
}

type Way = 'account' | 'beneficiary';

/** Whom a payout goes to: a bank account whose name the bank says, or somebody who is kept. */
export function usePayee() {
  const [way, setWay] = useState<Way>('account');
  const [bank, setBank] = useState<Bank | null>(null);
  const [number, setNumber] = useState('');
  const [beneficiary, setBeneficiary] = useState<Beneficiary | null>(null);
  const asked = useAccountName({ bank: way === 'account' ? bank : null, number });
  const bankOfKept = useBank(way === 'beneficiary' ? beneficiary?.details.bank_code : undefined);
  const payee =
    way === 'account' ? ofAccount(bank, number, asked.data?.account_name) : ofBeneficiary(beneficiary, bankOfKept);
  const shownBank = way === 'account' ? bank : bankOfKept;
  return {
    payee,
    /** What the account is of; undefined until it is known. */
    currency: shownBank?.currency as Currency | undefined,
    fields: { way, setWay, bank, setBank, number, setNumber, beneficiary, setBeneficiary, asked },
  };
}

/** A bank by its code. */
function useBank(code: unknown): Bank | null {
  const mode = useMode();
  const api = useApi();
  const q = typeof code === 'string' ? code : '';
  const { data } = useQuery({
    queryKey: [mode, 'banks', q],
    queryFn: () => bodyOf(api.GET('/v4/banks', { params: { query: { q, limit: 100 } } })),
    enabled: q !== '',
  });
  return data?.data.find((bank) => bank.code === q) ?? null;
}

function ofAccount(bank: Bank | null, number: string, name: string | undefined): Payee | null {
  if (bank === null || name === undefined) return null;
  const order = { bank: { code: bank.code, account_number: number }, account_name: name };
  return { order, name, account: `${bank.name} ${number}` };
}

function ofBeneficiary(kept: Beneficiary | null, bank: Bank | null): Payee | null {
  if (kept === null) return null;
  const account = `${bank?.name ?? String(kept.details.bank_code)} ${String(kept.details.account_number)}`;
  return { order: { beneficiary_id: kept.id }, name: kept.verified_name ?? kept.label, account };
}

export function PayeeFields({ fields }: Pick<ReturnType<typeof usePayee>, 'fields'>) {
  const { hasScope } = useMay();
  const { way, setWay, bank, setBank, number, setNumber, beneficiary, setBeneficiary, asked } = fields;
  return (
    <Stack gap="xs">
      {hasScope('beneficiaries:read') && (
        <SegmentedControl
          aria-label="Whom to pay"
          value={way}
          onChange={(value) => setWay(value as Way)}
          data={[
            { value: 'account', label: 'A bank account' },
            { value: 'beneficiary', label: 'A beneficiary' },
          ]}
        />
      )}
      {way === 'account' ? (
        <>
          <BankPicker picked={bank} onPick={setBank} />
          <TextInput
            label="Account number"
            inputMode="numeric"
            required
            maxLength={34}
            value={number}
            onChange={(event) => setNumber(event.currentTarget.value.replaceAll(/\s/g, ''))}
          />
          <AccountName asked={asked} />
        </>
      ) : (
        <>
          <BeneficiaryPicker kind="bank_account" picked={beneficiary} onPick={setBeneficiary} />
          {beneficiary?.verified_name && (
            <Text size="sm">
              Paid only if the bank still says that it is {beneficiary.verified_name}&apos;s account.
            </Text>
          )}
        </>
      )}
    </Stack>
  );
}

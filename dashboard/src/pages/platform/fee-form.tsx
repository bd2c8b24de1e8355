import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useOperators } from '../../session/cells';
import { FEE_PRODUCTS } from '../../../../src/vocabulary/products';
import { fieldsOf } from '../../ui/form-fields';
import { amountText, CURRENCIES, moneyText, percentText, toMinor } from '../../ui/money';
import { ProblemAlert } from '../../ui/problem-alert';
import { useAction } from '../../ui/use-action';
import { enteredIn, feeOf, type FeeRule, keyOf, ruleOf } from './fee-rule';

const EXAMPLE = '10000';
const NO_AMOUNT = 'An amount, such as 50 or 50.50';

/** Adds a rule, or changes one whose product, tier and currency stay. */
export function FeeForm({
  rule,
  rules,
  onSet,
}: {
  rule: FeeRule | null;
  rules: readonly FeeRule[];
  onSet: () => void;
}) {
  const operators = useOperators();
  const [fields, setFields] = useState(() => fieldsFor(rule));
  const setting = useAction(
    (wanted: FeeRule) => operators.api.PUT('/operators/fees', { body: wanted }),
    'The fee is set.',
  );
  const { currency = '', example = '' } = fields;
  const entered = enteredIn(fields, currency);
  const wanted = ruleOf(fields, entered);
  const amount = toMinor(example, currency);
  const replaces = rule === null && wanted !== null && rules.some((other) => keyOf(other) === keyOf(wanted));
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (wanted) setting.mutate(wanted, { onSuccess: onSet });
  }
  return (
    <form onSubmit={submit} onChange={(event) => setFields({ ...fields, ...fieldsOf(event.currentTarget) })}>
      <Stack>
        {rule === null && <KeyFields fields={fields} />}
        <TextInput
          name="flat"
          label={`Flat (${currency})`}
          inputMode="decimal"
          defaultValue={fields.flat}
          required
          error={entered.flat === null && NO_AMOUNT}
          data-autofocus={rule !== null || undefined}
        />
        <TextInput
          name="percent"
          label="Percent of the amount"
          inputMode="decimal"
          defaultValue={fields.percent}
          required
          error={entered.basisPoints === null && 'From 0 to 100, such as 1.5'}
        />
        <TextInput
          name="cap"
          label={`At most (${currency})`}
          description="Empty: no cap"
          inputMode="decimal"
          defaultValue={fields.cap}
          error={entered.cap === null && NO_AMOUNT}
        />
        <TextInput
          name="example"
          label={`Example amount (${currency})`}
          inputMode="decimal"
          defaultValue={fields.example}
          error={amount === null && NO_AMOUNT}
        />
        <Text size="sm" role="status">
          {wanted &&
            amount !== null &&
            `A payment of ${moneyText(amount, currency)} would cost ${moneyText(feeOf(wanted, amount), currency)}.`}
          {replaces && ' There is a rule for this already: it is replaced.'}
        </Text>
        <ProblemAlert error={setting.error} />
        <Group justify="flex-end">
          <Button type="submit" loading={setting.isPending} disabled={wanted === null}>
            Set fee
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function KeyFields({ fields }: { fields: Record<string, string> }) {
  return (
    <>
      <NativeSelect
        name="product"
        label="Product"
        data={FEE_PRODUCTS.map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
        defaultValue={fields.product}
        data-autofocus
      />
      <TextInput
        name="tier"
        label="Tier"
        description="Of the accounts that it is for"
        defaultValue={fields.tier}
        required
        maxLength={64}
      />
      <NativeSelect name="currency" label="Currency" data={[...CURRENCIES]} defaultValue={fields.currency} />
    </>
  );
}

function fieldsFor(rule: FeeRule | null): Record<string, string> {
  if (rule === null)
    return {
      product: FEE_PRODUCTS[0] ?? '',
      tier: 'standard',
      currency: CURRENCIES[0],
      flat: '0',
      percent: '0',
      cap: '',
      example: EXAMPLE,
    };
  const { product, tier, currency, flat, basis_points, cap } = rule;
  return {
    product,
    tier,
    currency,
    flat: amountText(flat, currency),
    percent: percentText(basis_points),
    cap: cap === null ? '' : amountText(cap, currency),
    example: EXAMPLE,
  };
}

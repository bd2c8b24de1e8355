import { Button, Card, FileButton, Group, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { dashboardApi, type DashboardSchemas } from '../../api/dashboard-api';
import { bodyOf } from '../../api/public-api';
import { ConfirmButton } from '../../ui/confirm-button';
import { Loading } from '../../ui/data-table';
import { PageHead } from '../../ui/page-head';
import { ProblemAlert } from '../../ui/problem-alert';
import { useAction } from '../../ui/use-action';
import { CheckoutPreview, COLOUR } from './checkout-preview';

type Branding = DashboardSchemas['Branding'];

/** What payers see of the account on its checkout pages, in both modes. */
export function BrandingPage() {
  const { data, error } = useQuery({ queryKey: ['branding'], queryFn: () => bodyOf(dashboardApi.GET('/branding')) });
  return (
    <>
      <PageHead title="Checkout page" />
      <ProblemAlert error={error} />
      {!data && !error && <Loading label="checkout page" />}
      {data && <Looks branding={data} />}
    </>
  );
}

function Looks({ branding }: { branding: Branding }) {
  const [name, setName] = useState(branding.name ?? '');
  const [colour, setColour] = useState(branding.colour ?? '');
  const save = useAction(
    (body: DashboardSchemas['SetBranding']) => bodyOf(dashboardApi.PUT('/branding', { body })),
    'Saved. Payers see it from now on.',
  );
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    save.mutate({ name: name.trim() || null, colour: colour.toLowerCase() || null });
  }
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
      <Stack gap="lg">
        <Card withBorder component="section" aria-labelledby="branding-title">
          <Title order={2} size="h4" id="branding-title" mb="xs">
            Name and colour
          </Title>
          <form onSubmit={submit}>
            <Stack maw={420}>
              <TextInput
                label="Name"
                description="As payers know you. Empty: the name of the account"
                placeholder={branding.account_name}
                maxLength={100}
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
              />
              <TextInput
                label="Colour"
                description="Of buttons, such as #0b5c3f. Text on it is black or white, as reads better. Empty: ours"
                maxLength={7}
                value={colour}
                onChange={(event) => setColour(event.currentTarget.value.trim())}
                rightSection={
                  <input
                    type="color"
                    className="colour-picker"
                    aria-label="Palette"
                    value={COLOUR.test(colour) ? colour : '#0b5c3f'}
                    onChange={(event) => setColour(event.currentTarget.value)}
                  />
                }
              />
              <ProblemAlert error={save.error} />
              <Group>
                <Button type="submit" loading={save.isPending}>
                  Save
                </Button>
              </Group>
            </Stack>
          </form>
        </Card>
        <Logo branding={branding} />
      </Stack>
      <CheckoutPreview name={name.trim() || branding.account_name} colour={colour} logoUrl={branding.logo_url} />
    </SimpleGrid>
  );
}

const LOGO_BYTES_MAX = 32 * 1_024;

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

function Logo({ branding: { logo_url: logo } }: { branding: Branding }) {
  const send = useAction(async (file: File) => {
    if (file.size > LOGO_BYTES_MAX) throw new Error('The file is too large: a logo has at most 32 kB.');
    return bodyOf(dashboardApi.PUT('/branding/logo', { body: { logo: await base64Of(file) } }));
  }, 'The logo is saved. Payers see it from now on.');
  return (
    <Card withBorder component="section" aria-labelledby="logo-title">
      <Title order={2} size="h4" id="logo-title" mb="xs">
        Logo
      </Title>
      <Stack>
        <Text size="sm">PNG, JPEG or WebP, at most 32 kB and 1,024 pixels a side. It stands on white.</Text>
        <ProblemAlert error={send.error} />
        <Group>
          <FileButton accept="image/png,image/jpeg,image/webp" onChange={(file) => file && send.mutate(file)}>
            {(props) => (
              <Button variant="default" loading={send.isPending} {...props}>
                {logo === null ? 'Choose a file' : 'Choose another file'}
              </Button>
            )}
          </FileButton>
          {logo !== null && (
            <ConfirmButton
              size="sm"
              label="Remove"
              aria-label="Remove the logo"
              question="Remove the logo?"
              explanation="Payers see the name alone."
              done="Removed."
              work={() => dashboardApi.DELETE('/branding/logo')}
            />
          )}
        </Group>
      </Stack>
    </Card>
  );
}

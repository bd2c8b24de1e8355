import { isLightColor, Stack, Title } from '@mantine/core';
import '../../styles/branding.css';

export const COLOUR = /^#[0-9a-f]{6}$/i;

interface PreviewProps {
  readonly name: string;
  /** Ours where it is none. */
  readonly colour: string;
  readonly logoUrl: string | null;
}

/** What stands at the top of a checkout page, in both schemes: what is chosen, before it is saved. */
export function CheckoutPreview(props: PreviewProps) {
  return (
    <section aria-labelledby="preview-title">
      <Title order={2} size="h4" id="preview-title" mb="xs">
        Preview
      </Title>
      <Stack>
        <Sheet {...props} scheme="light" />
        <Sheet {...props} scheme="dark" />
      </Stack>
    </section>
  );
}

function Sheet({ name, colour, logoUrl, scheme }: PreviewProps & { scheme: 'light' | 'dark' }) {
  const accent = COLOUR.test(colour) ? { background: colour, color: isLightColor(colour) ? '#000' : '#fff' } : {};
  return (
    <figure className={`checkout-preview ${scheme}`} aria-label={`Preview, ${scheme}`}>
      <div className="brand">
        {logoUrl && <img src={logoUrl} alt="" />}
        <span>{name}</span>
      </div>
      <p className="heading">Pay {name}</p>
      <p className="amount">NGN 12,500.00</p>
      <div className="pay" style={accent}>
        Continue
      </div>
    </figure>
  );
}

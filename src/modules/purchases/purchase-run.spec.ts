import { maskSecrets } from './purchase-run';

describe('maskSecrets', () => {
  it('leaves the last four characters of each token and PIN', () => {
    const secrets = {
      tokens: [
        { kind: 'credit', value: '12345678901234567890', units: '44.4 kWh' },
        { kind: 'key_change_1', value: '09876543210987654321', units: null },
      ],
      pins: [{ serial: 'SN123456789', pin: '123456789012' }],
    };
    expect(maskSecrets(secrets)).toEqual({
      tokens: [
        { kind: 'credit', value: '****************7890', units: '44.4 kWh' },
        { kind: 'key_change_1', value: '****************4321', units: null },
      ],
      pins: [{ serial: 'SN123456789', pin: '********9012' }],
    });
  });

  it('takes for a secret what it does not know', () => {
    expect(maskSecrets({ voucher: 'ABCDEFGH1234', codes: ['98765432', { activation: { key: 'ZYXWVUTS' } }] })).toEqual({
      voucher: '********1234',
      codes: ['****5432', { activation: { key: '****VUTS' } }],
    });
  });

  it.each<[unknown, unknown]>([
    ['', ''],
    ['7', '*'],
    ['42', '*2'],
    ['12345', '***45'],
    [1_234_567_890, '******7890'],
    [null, null],
    [true, true],
  ])('shows no more than half of %p', (pin, masked) => {
    expect(maskSecrets({ pins: [{ pin }] })).toEqual({ pins: [{ pin: masked }] });
  });

  it('leaves what it was given as it is', () => {
    const secrets = { pins: [{ pin: '123456789012' }] };
    maskSecrets(secrets);
    expect(secrets).toEqual({ pins: [{ pin: '123456789012' }] });
  });
});

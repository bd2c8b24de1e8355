import { isPublicAddress } from './url-policy.service';

/** First and last address of each range that is refused. */
const REFUSED: readonly (readonly [string, string])[] = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['168.63.129.16', '168.63.129.16'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '239.255.255.255'],
  ['240.0.0.0', '255.255.255.255'],
  ['::', '::1'],
  ['::0.0.0.2', '::255.255.255.255'],
  ['::ffff:0.0.0.0', '::ffff:255.255.255.255'],
  ['::ffff:0:0:0', '::ffff:0:ffff:ffff'],
  ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:2::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['64:ff9b::', '64:ff9b::ffff:ffff'],
  ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['100::', '100::ffff:ffff:ffff:ffff'],
  ['5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
];

/** The neighbours of these ranges, where they are public, and addresses as receivers have them. */
const PUBLIC = [
  '1.0.0.0',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '168.63.129.15',
  '168.63.129.17',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '191.255.255.255',
  '192.0.1.0',
  '192.0.3.0',
  '192.88.98.255',
  '192.88.100.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '198.51.99.255',
  '198.51.101.0',
  '203.0.112.255',
  '203.0.114.0',
  '223.255.255.255',
  '8.8.8.8',
  '93.184.216.34',
  '2000::',
  '2001:200::',
  '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff',
  '2001:db9::',
  '2003::',
  '2606:4700:4700::1111',
  '3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  '3fff:1000::',
  '2a00:1450:4009::200e',
];

describe('isPublicAddress', () => {
  test.each(REFUSED)('refuses %s to %s', (first, last) => {
    expect([first, isPublicAddress(first)]).toEqual([first, false]);
    expect([last, isPublicAddress(last)]).toEqual([last, false]);
  });

  test.each(PUBLIC)('allows %s', (address) => expect(isPublicAddress(address)).toBe(true));

  test.each([
    '',
    'localhost',
    'example.com',
    '127.1',
    '0x7f.0.0.1',
    '2130706433',
    '8.8.8.8:80',
    '[2606:4700::1]',
    'fe80::1%eth0',
    '2606:4700::1%lo',
    ' 8.8.8.8',
    '8.8.8.8\0',
  ])('knows %j for no address', (text) => expect(isPublicAddress(text)).toBe(false));

  test('reads an IPv6 address in every way of writing it', () => {
    for (const loopback of [
      '0:0:0:0:0:0:0:1',
      '0000::0001',
      '::0.0.0.1',
      '::FFFF:7F00:1',
      '0:0:0:0:0:ffff:127.0.0.1',
      '2002:7f00:1::',
      '64:FF9B::7f00:1',
    ]) {
      expect([loopback, isPublicAddress(loopback)]).toEqual([loopback, false]);
    }
  });
});

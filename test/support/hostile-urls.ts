/** URLs that must lead nowhere. `PORT` stands for the port of a canary that listens on every address of this machine. */

/** Addresses that are not public, in each notation that URL parsers accept. Hosts only. */
const HOSTS = [
  // Loopback, and all that a parser of URLs takes for it.
  '127.0.0.1', '127.0.0.2', '127.255.255.254', '127.1', '127.0.1', '127.0.0.1.', '127.1.', '0177.0.0.1', '0177.1', '0177.0x0.0.1', '00177.0.0.01',
  '0x7f.0.0.1', '0x7f.1', '0X7F.0.0.1', '0x7f000001', '0X7F000001', '0x7f.0x0.0x0.0x1', '2130706433', '2130706434', '017700000001', '0000017700000001',
  '127.000.000.001', '127.0.0.01', '127.0x1', '127.65535', '%31%32%37.0.0.1', '127%2e0%2e0%2e1', '127%2E1', '0x7f%2e1',
  '①②⑦.⓪.⓪.①', '１２７.０.０.１', '127。0。0。1', '127．0．0．1', '127｡0｡0｡1', '𝟏𝟐𝟕.𝟎.𝟎.𝟏', '⑫7.0.0.1', '127.0.0.¹', '127.0.0.1\u00ad',
  '0.0.0.0', '0', '0x0', '00', '000.000.000.000', '0.0.0.0.', '0.1', '0.255.255.255',
  // Private, shared, link-local, reserved.
  '10.0.0.1', '10.1', '012.0.0.1', '167772161', '172.16.0.1', '172.31.255.255', '0xac100001', '192.168.0.1', '192.168.1', '0300.0250.1.1', '3232235777',
  '100.64.0.1', '100.100.100.200', '100.127.255.254', '169.254.169.254', '169.254.43518', '0xa9fea9fe', '2852039166', '0251.0376.0251.0376', '169.254.169.253',
  '168.63.129.16', '0xa83f8110', '192.0.0.1', '192.0.0.192', '192.0.2.1', '192.88.99.1', '198.18.0.1', '198.19.255.255', '198.51.100.7', '203.0.113.9',
  '224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255', '4294967295', '0xffffffff', '037777777777',
  // IPv6.
  '[::1]', '[0:0:0:0:0:0:0:1]', '[0000:0000:0000:0000:0000:0000:0000:0001]', '[::0001]', '[::0.0.0.1]', '[::]', '[0:0:0:0:0:0:0:0]',
  '[::ffff:127.0.0.1]', '[::FFFF:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:ffff:127.0.0.1]', '[::ffff:0.0.0.0]', '[::ffff:10.0.0.1]', '[::ffff:169.254.169.254]',
  '[::ffff:8.8.8.8]', '[::ffff:0:127.0.0.1]', '[::127.0.0.1]', '[::7f00:1]', '[::8.8.8.8]', '[64:ff9b::127.0.0.1]', '[64:ff9b::a9fe:a9fe]', '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]', '[2002:a9fe:a9fe::1]', '[2002:808:808::1]', '[2001::1]', '[2001:0:7f00:1::1]', '[2001:2::1]', '[2001:10::1]', '[2001:20::1]',
  '[fc00::1]', '[fd00::1]', '[fd00:ec2::254]', '[fd12:3456:789a:1::1]', '[fe80::1]', '[febf::1]', '[fec0::1]', '[feff::1]', '[ff01::1]', '[ff02::1]', '[ff05::1:3]',
  '[2001:db8::1]', '[3fff::1]', '[3fff:fff::1]', '[100::1]', '[5f00::1]', '[4000::1]', '[8000::1]', '[e000::1]',
  // Names that only a machine or its network knows.
  'localhost', 'LOCALHOST', 'LocalHost.', 'loc%61lhost', 'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ', 'localhos\u00adt', 'shop.localhost', 'shop.localhost.', 'ip6-localhost', 'metadata', 'redis', 'postgres',
  'metadata.google.internal', 'instance-data.ec2.internal', 'host.docker.internal', 'printer.local', 'kubernetes.default.svc.cluster.local',
  'router.home.arpa', 'shop.onion', 'shop.alt', 'shop.invalid',
];

/** URLs whose host is not where it seems to be. */
const DISGUISED = [
  'http://127.0.0.1:PORT\\@example.com/', 'http://127.0.0.1:PORT#@example.com/', 'http://127.0.0.1:PORT?@example.com/', 'http://127.0.0.1:PORT/@example.com',
  'http:127.0.0.1:PORT/', 'http:/127.0.0.1:PORT/', 'http:\\\\127.0.0.1:PORT\\', 'http:////127.0.0.1:PORT/', 'http:///127.0.0.1:PORT/', ' http://127.0.0.1:PORT/ ',
  '\thttp://127.0.0.1:PORT/', 'ht\ntp://127.0.0.1:PORT/', 'http://127.0.0\n.1:PORT/', 'http://127.0.0.1:\tPORT/', 'HTTP://127.0.0.1:PORT/', 'hTTp://[::1]:PORT/',
  'http://@127.0.0.1:PORT/', 'http://:@127.0.0.1:PORT/', 'http://127.0.0.1:PORT/../../', 'http://127.0.0.1:0PORT/', 'http://127.0.0.1:PORT/%0d%0aHost:%20example.com',
];

/** Refused for the address that they lead to. */
export const ADDRESSES: readonly string[] = [...HOSTS.map((host) => `http://${host}:PORT/hook`), ...DISGUISED];

/** Refused for what they are. */
export const MALFORMED: readonly string[] = [
  '', ' ', 'http://', 'https://', 'http://:PORT/', 'http:///', '//127.0.0.1:PORT/', '/hook', 'hook', '127.0.0.1:PORT', 'localhost:PORT', 'example.com/hook',
  'file:///etc/passwd', 'file://127.0.0.1/etc/passwd', 'ftp://127.0.0.1:PORT/', 'gopher://127.0.0.1:PORT/_POST', 'dict://127.0.0.1:PORT/', 'ldap://127.0.0.1:PORT/',
  'ws://127.0.0.1:PORT/', 'wss://127.0.0.1:PORT/', 'tftp://127.0.0.1:PORT/', 'ssh://127.0.0.1:PORT/', 'unix:/var/run/docker.sock', 'http+unix://%2Fvar%2Frun%2Fdocker.sock/',
  'unix://127.0.0.1:PORT/', 'javascript:fetch("http://127.0.0.1:PORT/")', 'data:text/plain,hook', 'blob:http://127.0.0.1:PORT/x', 'about:blank',
  'view-source:http://127.0.0.1:PORT/', 'jar:http://127.0.0.1:PORT/!/', 'mailto:ada@example.com', 'redis://127.0.0.1:PORT/', 'postgres://127.0.0.1:PORT/',
  'http://user@127.0.0.1:PORT/', 'http://user:word@127.0.0.1:PORT/', 'http://:word@127.0.0.1:PORT/', 'http://example.com@127.0.0.1:PORT/', 'http://example.com:80@127.0.0.1:PORT/',
  'http://user:word@example.com/', 'http://user@example.com:PORT/', 'http://example.com%40127.0.0.1:PORT/', 'http://127.0.0.1:PORT@example.com/', 'http://a:b@c@127.0.0.1:PORT/',
  'http://127.0.0.1:PORT:80/', 'http://127.0.0.1:99999/', 'http://127.0.0.1:-1/', 'http://127.0.0.1:80a/', 'http://127.0.0.256:PORT/', 'http://127.0.0.0.1:PORT/', 'http://1.2.3.4.5:PORT/',
  'http://4294967296:PORT/', 'http://0x100000000:PORT/', 'http://0x7g.0.0.1:PORT/', 'http://08.0.0.1:PORT/', 'http://127..0.1:PORT/', 'http://[::1:PORT/', 'http://::1:PORT/',
  'http://[::1%25lo]:PORT/', 'http://[::1%lo]:PORT/', 'http://[fe80::1%25eth0]:PORT/', 'http://[::ffff:127.1]:PORT/', 'http://[::ffff:0x7f.0.0.1]:PORT/', 'http://[127.0.0.1]:PORT/', 'http://[v1.127.0.0.1]:PORT/', 'http://[::g]:PORT/',
  'http://local host:PORT/', 'http://localhost%00.example.com:PORT/', 'http://127.0.0.1%00.example.com:PORT/', 'http://127.0.0.1%09:PORT/', 'http://127.0.0.1%20:PORT/',
  'http://exa<mple.com/', 'http://exa^mple.com/', 'http://exa|mple.com/', 'http://%/', `http://example.com/${'x'.repeat(2_048)}`,
];

/** Names that look public, and the addresses that DNS has for them. */
export const NAMES: Readonly<Record<string, readonly string[]>> = {
  'localtest.me': ['127.0.0.1', '::1'],
  '127.0.0.1.nip.io': ['127.0.0.1'],
  '169-254-169-254.sslip.io': ['169.254.169.254'],
  'six.example.com': ['::1'],
  'mapped.example.com': ['::ffff:127.0.0.1'],
  'compatible.example.com': ['::127.0.0.1'],
  'translated.example.com': ['64:ff9b::7f00:1'],
  'tunnel.example.com': ['2002:7f00:1::'],
  'unspecified.example.com': ['0.0.0.0'],
  'unspecified6.example.com': ['::'],
  'private.example.com': ['10.0.0.1'],
  'shared.example.com': ['100.64.0.1'],
  'unique-local.example.com': ['fd00::1'],
  'public-first.example.com': ['93.184.216.34', '127.0.0.1'],
  'private-first.example.com': ['127.0.0.1', '93.184.216.34'],
  'private-last.example.com': ['93.184.216.34', '2606:2800:220:1::1', '::1'],
  'zone.example.com': ['fe80::1%lo'],
  'nonsense.example.com': ['127.1'],
  'bücher.example.com': ['127.0.0.1'],
  'dot.example.com.': ['127.0.0.1'],
};

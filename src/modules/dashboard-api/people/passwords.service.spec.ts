import { PasswordsService } from './passwords.service';

/** Made by `crypto.argon2` of Node 24, with which passwords were hashed before. */
const STORED = '$argon2id$v=19$m=19456,t=2,p=1$MDEyMzQ1Njc4OWFiY2RlZg$wNkmhaSloRmhHLjrrBB/mW5TVd5KmdZVfKB2cmLMBx0';
const PASSWORD = 'corréct horse battery staple';
const passwords = new PasswordsService();

it('hashes with the cost that is documented, and knows the password again', async () => {
  const hash = await passwords.hash(PASSWORD);
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(await passwords.verify(PASSWORD.normalize('NFD'), hash)).toBe(true);
  expect(await passwords.verify(`${PASSWORD} `, hash)).toBe(false);
});

it('knows passwords again that were hashed before', async () => {
  expect(await passwords.verify(PASSWORD, STORED)).toBe(true);
  expect(await passwords.verify('correct horse battery staple', STORED)).toBe(false);
});

it('is false for nobody', async () => {
  expect(await passwords.verify(PASSWORD, null)).toBe(false);
});

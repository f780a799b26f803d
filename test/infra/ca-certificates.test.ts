import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readCaCertificates } from '../../infra/ca-certificates.ts';
import { parseSettings } from '../../infra/config.ts';

const authority = readFileSync('test/infra/fixtures/authority.pem', 'utf8');
const leaf = readFileSync('test/infra/fixtures/server.pem', 'utf8');
const { privateKey } = generateKeyPairSync('ed25519');
const key = String(privateKey.export({ format: 'pem', type: 'pkcs8' }));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'certificates-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const read = (text: string): string | undefined => {
  const caCertificates = join(folder, 'authorities.pem');
  writeFileSync(caCertificates, text);
  return readCaCertificates(parseSettings({ caCertificates }));
};

it('reads nothing without the setting', () => {
  expect(readCaCertificates(parseSettings({}))).toBeUndefined();
});

it('reads all certificates, without other text', () => {
  expect(read(`Subject: one\n${authority}\nSubject: two\n${authority}`)).toBe(
    authority + authority,
  );
});

it.each([
  ['no certificate', 'nothing', 'it has no certificate in PEM format'],
  ['a private key', `${authority}${key}`, 'it has a private key, which must not be deployed'],
  ['a damaged certificate', authority.replace(/\n.{20}/, '\nAAAA'), 'a certificate cannot be read'],
  ['the certificate of a server', leaf, 'CN=server.example.com is no certificate authority'],
])('rejects %s in one line, without its content', (_, text, why) => {
  expect(() => read(text)).toThrow(new RegExp(`^caCertificates: .*authorities\\.pem: ${why}$`));
});

it('rejects a file that is missing', () => {
  const settings = parseSettings({ caCertificates: 'infra/missing.pem' });

  expect(() => readCaCertificates(settings)).toThrow(/^caCertificates: cannot read .*missing\.pem/);
});

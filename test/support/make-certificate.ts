import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** Encodes a value in DER. */
const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 128 ? [size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
};

const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const text = (value: string): Buffer => der(0x0c, Buffer.from(value));
const time = (date: Date): Buffer =>
  der(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]|\..*/g, '')}Z`));
const extension = (id: string, value: Uint8Array): Buffer => sequence(oid(id), der(0x04, value));

/** A self-signed certificate authority, which is also the certificate of a server with these names. */
export const makeCertificate = (hosts: readonly string[]) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const algorithm = sequence(oid('2a8648ce3d040302'));
  const name = sequence(der(0x31, sequence(oid('550403'), text('Test authority'))));
  const day = 24 * 3_600_000;
  const names = sequence(...hosts.map((host) => der(0x82, Buffer.from(host))));
  const isAuthority = sequence(der(0x01, Buffer.from([255])));
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name,
    sequence(time(new Date(Date.now() - day)), time(new Date(Date.now() + day))),
    name,
    publicKey.export({ format: 'der', type: 'spki' }),
    der(0xa3, sequence(extension('551d13', isAuthority), extension('551d11', names))),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', content, privateKey)]);
  const bytes = sequence(content, algorithm, der(0x03, signature));
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
    key: String(privateKey.export({ format: 'pem', type: 'pkcs8' })),
  };
};

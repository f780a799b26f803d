/** Signs a digest with ECDSA. Node.js signs messages only, and hashes them itself. */
import { createECDH, type KeyObject, randomBytes } from 'node:crypto';

/** Order of the curve P-256 (SEC 2, secp256r1). */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

const toNumber = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);

const modulo = (value: bigint): bigint => ((value % order) + order) % order;

/** Returns the inverse of a number modulo the prime order, by Fermat's little theorem. */
const invert = (value: bigint): bigint => {
  let [result, base] = [1n, modulo(value)];
  for (let exponent = order - 2n; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) result = modulo(result * base);
    base = modulo(base * base);
  }
  return result;
};

/** Returns a random number below the order and the x coordinate of its point. */
const makeNonce = (): { readonly nonce: bigint; readonly x: bigint } => {
  for (;;) {
    const bytes = randomBytes(32);
    const nonce = toNumber(bytes);
    if (nonce === 0n || nonce >= order) continue;
    const curve = createECDH('prime256v1');
    curve.setPrivateKey(bytes);
    // An uncompressed point: the byte 4, x, and y.
    return { nonce, x: toNumber(curve.getPublicKey().subarray(1, 33)) };
  }
};

/** Returns an integer in DER (X.690): without leading zeros, but one before a set top bit. */
const encodeInteger = (value: bigint): Buffer => {
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex');
  const content = (bytes[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes;
  return Buffer.concat([Buffer.of(2, content.length), content]);
};

/** Returns the ECDSA signature of a SHA-256 digest in DER (FIPS 186-5, 6.4.1). The time depends on the key: for local runs only. */
export const signDigest = (digest: Uint8Array, privateKey: KeyObject): Buffer => {
  const secret = toNumber(Buffer.from(privateKey.export({ format: 'jwk' }).d ?? '', 'base64url'));
  for (;;) {
    const { nonce, x } = makeNonce();
    const r = modulo(x);
    const s = modulo(invert(nonce) * (toNumber(digest) + r * secret));
    if (r === 0n || s === 0n) continue;
    const numbers = Buffer.concat([encodeInteger(r), encodeInteger(s)]);
    return Buffer.concat([Buffer.of(0x30, numbers.length), numbers]);
  }
};

import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchArchive } from '../../../../cli/commands/diff/files/fetch-archive.ts';
import { type OriginServer, startOriginServer } from '../../../support/origin-server.ts';

let origin: OriginServer;
beforeAll(async () => {
  origin = await startOriginServer();
});
afterAll(() => origin.close());

const content = Buffer.from('an archive');
const hex = (algorithm: string): string => createHash(algorithm).update(content).digest('hex');
const sha256 = `sha256:${hex('sha256')}`;

const fetchFile = (
  { digest = sha256, url = `${origin.url}/file` }: { digest?: string | null; url?: string | null },
  { registry = 'http://127.0.0.1:3000', signal = new AbortController().signal } = {},
): Promise<Buffer> => fetchArchive({ file: 'a.tgz', digest, url }, { registry, signal });

describe('a file', () => {
  it.each([
    ['SHA-256', sha256],
    ['SHA-1, as of old npm versions', `sha1-${Buffer.from(hex('sha1'), 'hex').toString('base64')}`],
    [
      'the strongest of several',
      `sha1:${'0'.repeat(40)} sha512-${createHash('sha512').update(content).digest('base64')}`,
    ],
  ])('is downloaded if its digest is right: %s', async (_what, digest) => {
    origin.serve('/file', { body: content });

    expect(await fetchFile({ digest })).toEqual(content);
  });

  it('is downloaded after a redirect, and after a passing failure', async () => {
    origin.serve('/moved', { status: 302, headers: { Location: `${origin.url}/file` } });
    origin.serve('/file', { status: 503 }, { body: content });

    expect(await fetchFile({ url: `${origin.url}/moved` })).toEqual(content);
  });

  it('is requested as it is, without a further compression', async () => {
    const packed = gzipSync('x');
    origin.serve('/file', { body: packed });
    const digest = `sha256:${createHash('sha256').update(packed).digest('hex')}`;

    expect(await fetchFile({ digest })).toEqual(packed);
    expect(origin.requests.at(-1)?.headers['accept-encoding']).toBe('identity');
  });

  it.each([
    ['of another content', `sha256:${'0'.repeat(64)}`, 'another digest'],
    ['with a strong digest of another content', `${sha256} sha512-${'A'.repeat(86)}==`, 'another'],
    ['without a digest', null, 'no digest that proves'],
    ['with MD5 alone', `md5:${'0'.repeat(32)}`, 'no digest that proves'],
    ['with a digest of a wrong length', 'sha256:abcd', 'no digest that proves'],
  ])('%s is refused', async (_what, digest, message) => {
    origin.serve('/file', { body: content });

    await expect(fetchFile({ digest })).rejects.toThrow(message);
  });

  it.each([
    ['the metadata of a cloud', 'http://169.254.169.254/latest'],
    ['a reserved address', 'http://0.0.0.0/x'],
    ['this machine, in another notation', 'http://0x7f.1/x'],
    ['this machine in IPv6', 'http://[::1]/x'],
    ['this machine by name', 'http://localhost/x'],
    ['a user and a password', 'https://a:b@example.com/x'],
    ['a file', 'file:///etc/passwd'],
  ])('is not requested from %s by a registry elsewhere', async (_what, url) => {
    const registry = 'https://registry.example.com';

    await expect(fetchFile({ url }, { registry })).rejects.toThrow('is not allowed');
  });

  it('is not requested without an address', async () => {
    await expect(fetchFile({ url: null })).rejects.toThrow('names no address of a.tgz');
  });

  it('is not read after an abort', async () => {
    const stopping = new AbortController();
    origin.serve('/file', { act: () => stopping.abort(new Error('stopped')) });

    await expect(fetchFile({}, { signal: stopping.signal })).rejects.toThrow();
  });

  it('is not read beyond the limit', async () => {
    const chunk = Buffer.alloc(1_000_000);
    let sent = 0;
    origin.serve('/file', {
      act: (response) => {
        const send = (): void => {
          sent += 1;
          if (sent <= 150) response.write(chunk, send);
          else response.end();
        };
        send();
      },
    });

    await expect(fetchFile({})).rejects.toThrow('responded with more than 95 MiB');

    expect(sent).toBeLessThan(150);
  });
});

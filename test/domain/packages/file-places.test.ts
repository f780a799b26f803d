import { describe, expect, it } from 'vitest';
import { locateFile, parseFilePlaces } from '../../../shared/domain/packages/file-places.ts';

const origin = 'https://origin.example.com/npm/';
const files = 'https://files.example.com';

describe('parseFilePlaces', () => {
  it('reads addresses, alone or with a mirror', () => {
    expect(parseFilePlaces(`pypi:${files}, npm:${files}/a=http://mirror.example.com/b/`)).toEqual([
      { ecosystem: 'pypi', from: `${files}/`, to: `${files}/` },
      { ecosystem: 'npm', from: `${files}/a/`, to: 'http://mirror.example.com/b/' },
    ]);
    expect(parseFilePlaces('none')).toEqual([]);
  });

  it.each([
    '',
    'files.example.com',
    files,
    `cargo:${files}`,
    'npm:files.example.com',
    'npm:ftp://files.example.com',
    `npm:${files},`,
    `npm:${files}=`,
    `npm:${files}?a`,
    `npm:${files}=${files}=${files}`,
  ])('takes %j for none', (text) => {
    expect(parseFilePlaces(text)).toBeUndefined();
  });
});

describe('locateFile', () => {
  const rules = { origin, isSpread: false, places: [] };
  const spread = { ...rules, isSpread: true };
  const at = (places: string) => ({ places: parseFilePlaces(`pypi:${places}`) ?? [] });

  it('finds a file at its origin', () => {
    const address = 'https://origin.example.com/a/-/a-1.0.0.tgz';
    expect(locateFile(address, rules)).toBe(address);
  });

  it.each([
    'https://evil.example.com/a.tgz',
    'http://origin.example.com/a.tgz',
    'https://origin.example.com:8443/a.tgz',
    'https://origin.example.com@evil.example.com/a.tgz',
    'javascript:alert(1)',
    '',
  ])('hands on no file at %j', (address) => {
    expect(locateFile(address, rules)).toBeUndefined();
  });

  it('finds a file at any host where the origin has others, until somebody says at which', () => {
    const address = `${files}/a.whl`;
    expect(locateFile(address, spread)).toBe(address);
    expect(locateFile(address, { ...spread, ...at(files) })).toBe(address);
    expect(locateFile(address, { ...spread, ...at('https://other.example.com') })).toBeUndefined();
    expect(locateFile('file:///etc/passwd', spread)).toBeUndefined();
  });

  it('finds a file at the mirror of where it lies', () => {
    const mirrored = { ...rules, ...at(`${files}/packages=https://mirror.example.com/pypi`) };
    expect(locateFile(`${files}/packages/ab/a.whl`, mirrored)).toBe(
      'https://mirror.example.com/pypi/ab/a.whl',
    );
    expect(locateFile(`${files}/packages/../a.whl`, mirrored)).toBeUndefined();
    expect(locateFile(`${files}/packages-evil/a.whl`, mirrored)).toBeUndefined();
  });
});

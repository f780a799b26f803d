import { describe, expect, it } from 'vitest';
import { chooseCvss, rateCvss, readCvss } from '../../../shared/domain/vulnerabilities/cvss.ts';
import {
  chooseSeverity,
  chooseWorstRating,
  parseRating,
  rateScore,
} from '../../../shared/domain/vulnerabilities/severity.ts';

describe('readCvss', () => {
  // The examples of FIRST: CVSS v2 guide 3.3, CVSS v3.1 examples, CVSS v4.0 examples.
  it.each([
    ['2.0', 'AV:N/AC:L/Au:N/C:N/I:N/A:C', 7.8, 'CVE-2002-0392'],
    ['2.0', 'AV:N/AC:L/Au:N/C:C/I:C/A:C', 10, 'CVE-2003-0818'],
    ['2.0', 'AV:L/AC:H/Au:N/C:C/I:C/A:C', 6.2, 'CVE-2003-0062'],
    ['2.0', 'AV:N/AC:L/Au:N/C:N/I:N/A:N', 0, 'no impact'],
    ['3.0', 'CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H', 10, 'the highest'],
    ['3.1', 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:L/I:L/A:N', 5.4, 'CVE-2013-1937'],
    ['3.1', 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:C/C:L/I:L/A:N', 6.4, 'CVE-2013-0375'],
    ['3.1', 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N', 3.1, 'CVE-2014-3566'],
    ['3.1', 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:C/C:H/I:H/A:H', 9.9, 'CVE-2012-1516'],
    ['3.1', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N', 7.5, 'CVE-2014-0160'],
    ['3.1', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 9.8, 'CVE-2014-6271'],
    ['3.1', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N', 0, 'no impact'],
    [
      '4.0',
      'CVSS:4.0/AV:L/AC:L/AT:P/PR:L/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N',
      7.3,
      'CVE-2022-41741',
    ],
    [
      '4.0',
      'CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:P/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N',
      7.7,
      'CVE-2020-3549',
    ],
    ['4.0', 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:L/VA:L/SC:N/SI:N/SA:N', 8.8, 'high impact'],
    [
      '4.0',
      'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H',
      10,
      'CVE-2021-44228',
    ],
    ['4.0', 'CVSS:4.0/AV:P/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:N/SC:N/SI:N/SA:N', 0, 'no impact'],
  ])('scores by version %s %s as %d (%s)', (version, vector, score) => {
    expect(readCvss(vector)).toEqual({ version, vector, score });
  });

  it.each([
    '',
    'HIGH',
    'CVSS:3.1/AV:N',
    'CVSS:3.1/AV:Z/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H/__proto__:H',
    'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H/constructor:H',
    'CVSS:5.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    'AV:N/AC:L/Au:N/C:C/I:C',
    `CVSS:3.1/${'AV:N/'.repeat(100_000)}`,
  ])('takes no %.60j for a vector', (text) => {
    expect(readCvss(text)).toBeNull();
  });

  it('rates by the worst score, of equal ones the newest version, and by version 2 only alone', () => {
    const [v2, v31, lower31, v4] = [
      'AV:N/AC:L/Au:N/C:C/I:C/A:C',
      'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
      'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
      'CVSS:4.0/AV:P/AC:L/AT:N/PR:N/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N',
    ].map(readCvss);

    expect(chooseCvss([v2 ?? null, lower31 ?? null, v31 ?? null])).toEqual(v31);
    expect(v4?.score).toBeLessThan(v31?.score ?? 0);
    expect(chooseCvss([v4 ?? null, v31 ?? null, null])).toEqual(v31);
    expect(chooseCvss([v4 ?? null, v2 ?? null])).toEqual(v4);
    expect(chooseCvss([v2 ?? null, null])).toEqual(v2);
    expect(chooseCvss([null])).toBeNull();
    expect(rateCvss(v31 ?? null)).toBe('critical');
  });
});

describe('rateScore', () => {
  it.each([
    [10, 'critical'],
    [9, 'critical'],
    [8.9, 'high'],
    [7, 'high'],
    [6.9, 'medium'],
    [4, 'medium'],
    [3.9, 'low'],
    [0.1, 'low'],
    [0, 'low'],
  ])('rates %d as %s', (score, severity) => {
    expect(rateScore(score)).toBe(severity);
  });
});

describe('parseRating', () => {
  it.each([
    ['CRITICAL', 'critical'],
    ['Important', 'high'],
    ['moderate', 'medium'],
    ['Negligible', 'low'],
    ['info', 'low'],
    ['UNKNOWN', null],
    ['', null],
    ['constructor', null],
  ])('takes %j for %s', (word, severity) => {
    expect(parseRating(word)).toBe(severity);
  });
});

it('takes the worst that anybody says, and unrated only where nobody rates', () => {
  expect(chooseWorstRating([null, 'low', 'medium'])).toBe('medium');
  expect(chooseWorstRating([null])).toBeNull();
  expect(chooseSeverity(['unrated', 'low', 'medium'])).toBe('medium');
  expect(chooseSeverity(['unrated', 'unrated'])).toBe('unrated');
});

import { describe, expect, it } from 'vitest';
import { EventPatternError, matches, parsePattern } from '../src/template/event-pattern.ts';

const record = {
  eventName: 'INSERT',
  dynamodb: { NewImage: { name: { S: 'left-pad' }, size: { N: '3' }, tags: { SS: ['a', 'b'] } } },
};

const image = (pattern: object): object => ({ dynamodb: { NewImage: pattern } });

describe('a filter', () => {
  it.each<[string, object, boolean]>([
    ['of nothing', {}, true],
    ['on the exact value', { eventName: ['INSERT'] }, true],
    ['on one of several values', { eventName: ['REMOVE', 'INSERT'] }, true],
    ['on another value', { eventName: ['REMOVE'] }, false],
    ['on a missing field', { other: ['INSERT'] }, false],
    ['on a nested value', image({ name: { S: ['left-pad'] } }), true],
    ['on a nested value and another field', { eventName: ['REMOVE'], ...image({}) }, false],
    ['on an element of a list', image({ tags: { SS: ['b'] } }), true],
    ['on no element of a list', image({ tags: { SS: ['c'] } }), false],
    ['on a number where there is text', image({ size: { N: [3] } }), false],
    ['on a prefix', image({ name: { S: [{ prefix: 'left' }] } }), true],
    ['on another prefix', image({ name: { S: [{ prefix: 'right' }] } }), false],
    ['on anything but another value', { eventName: [{ 'anything-but': ['REMOVE'] }] }, true],
    ['on anything but its value', { eventName: [{ 'anything-but': 'INSERT' }] }, false],
    ['on anything but its prefix', { eventName: [{ 'anything-but': { prefix: 'IN' } }] }, false],
    ['on anything but, of a missing field', { other: [{ 'anything-but': 'x' }] }, false],
    ['on presence', image({ name: { S: [{ exists: true }] } }), true],
    ['on presence of what is missing', image({ gone: { S: [{ exists: true }] } }), false],
    ['on absence', image({ gone: { S: [{ exists: false }] } }), true],
    ['on absence of what is there', image({ name: { S: [{ exists: false }] } }), false],
    ['on presence of what is no leaf', image({ name: [{ exists: true }] }), false],
  ])('%s passes or not', (_, pattern, passes) => {
    expect(matches(parsePattern(JSON.stringify(pattern)), record)).toBe(passes);
  });

  it.each([
    ['{', 'is not a JSON object'],
    ['["INSERT"]', 'is not a JSON object'],
    ['{"eventName":"INSERT"}', 'eventName'],
    ['{"eventName":[]}', 'eventName'],
    ['{"$or":[{"eventName":["INSERT"]}]}', '$or'],
    ['{"size":[{"numeric":[">",1]}]}', 'numeric'],
    ['{"eventName":[{"suffix":"T"}]}', 'suffix'],
    ['{"eventName":[{"prefix":"A","suffix":"T"}]}', 'suffix'],
    ['{"eventName":[{"prefix":1}]}', 'prefix'],
    ['{"eventName":[{"exists":"yes"}]}', 'exists'],
    ['{"eventName":[{"anything-but":{"suffix":"T"}}]}', 'anything-but'],
  ])('%s is refused', (text, named) => {
    expect(() => parsePattern(text)).toThrow(EventPatternError);
    expect(() => parsePattern(text)).toThrow(named);
  });
});

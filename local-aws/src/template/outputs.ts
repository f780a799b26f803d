/** Reads the stack's outputs, which tell whoever runs it what things are called. */
import * as z from 'zod';
import { TemplateError } from './assembly.ts';
import { createResolver } from './intrinsics.ts';
import type { Reader } from './reader.ts';

/** Output name to value. An output without a local meaning, such as the address in AWS, is left out. */
export const readOutputs = ({ template }: Reader): Readonly<Record<string, string>> => {
  const resolve = createResolver(template);
  const outputs = Object.entries(template.outputs).flatMap(([name, value]): [string, string][] => {
    try {
      return [[name, z.string().parse(resolve(value))]];
    } catch (error) {
      if (error instanceof TemplateError) return [];
      throw error;
    }
  });
  return Object.fromEntries(outputs);
};

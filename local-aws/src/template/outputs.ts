/** Reads the stack's outputs. */
import * as z from 'zod';
import { TemplateError } from './assembly.ts';
import { createResolver } from './intrinsics.ts';
import type { Reader } from './reader.ts';

/** Returns the outputs by name, without those that cannot be resolved locally, such as the URL in AWS. */
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

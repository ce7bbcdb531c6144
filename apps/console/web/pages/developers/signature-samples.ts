// Files, because the guide shows them too.
import java from './signatures/Callbacks.java?raw';
import javascript from './signatures/signature.mjs?raw';
import python from './signatures/signature.py?raw';

/** How a receiver verifies a callback, with the standard library of each language. */
export const SIGNATURE_SAMPLES = { JavaScript: javascript, Python: python, Java: java } as const;

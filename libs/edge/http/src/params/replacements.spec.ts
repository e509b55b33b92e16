import fc from 'fast-check';
import { replacementsIn, SentReplacements } from './replacements.js';

const texts = fc.string({ unit: fc.constantFrom('\ufffd', 'a', '\uffff', '\ufeff'), maxLength: 20 });

test('sent replacement characters are counted, wherever the bytes are divided', () => {
  fc.assert(
    fc.property(texts, fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 80 }), (text, sizes) => {
      const sent = new SentReplacements();
      let rest = Buffer.from(text);
      for (const size of sizes) {
        sent.read(rest.subarray(0, size));
        rest = rest.subarray(size);
      }
      sent.read(rest);
      return sent.count === replacementsIn(text);
    }),
  );
});

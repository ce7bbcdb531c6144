import { MODULE_TYPE, parseSlotId, SANDBOX_NAMES, sandboxAddress, sandboxPhotograph } from '@tire/kernel';
import { SANDBOX_SCENARIOS } from './scenarios';

/** What programs read of the sandbox: every well-known photograph, and the scenarios made of them. */
export const sandboxManifest = () => ({
  photographs: SANDBOX_NAMES.map((name) => {
    const { sha256, imageType } = sandboxPhotograph(name);
    return { name, file: `${name}.jpg`, sha256, address: sandboxAddress(name), image_type: imageType };
  }),
  scenarios: SANDBOX_SCENARIOS.map(({ id, title, template, photographs, end, then, afterMs, callbackAttempts }) => ({
    id,
    title,
    template,
    photographs,
    /** The `images` of a creation by address. */
    images: Object.entries(photographs).map(([slot, name]) => ({
      module_type: MODULE_TYPE,
      slot: parseSlotId(slot),
      source: { url: sandboxAddress(name) },
    })),
    end: endOf(end),
    ...(then && { then: { action: then.action, end: endOf(then.end) } }),
    ...(afterMs && { after_ms: afterMs }),
    ...(callbackAttempts && { callback_attempts: callbackAttempts }),
  })),
});

const endOf = ({ analysisStatus, summaryStatus, severity, failed = {}, warnings = [] }: (typeof SANDBOX_SCENARIOS)[number]['end']) => ({
  analysis_status: analysisStatus,
  summary_status: summaryStatus,
  severity,
  failed,
  warnings,
});

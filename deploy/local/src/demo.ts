import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import type { CreateReportResponse, Report } from '@tire/contracts/api';
import { formatDepth } from '@tire/kernel';
import { PartnerClient, upload } from './client';
import { describeStack } from './describe';
import { receiveCallbacks, serveImages } from './listeners';
import { measurementTable } from './measurement-table';
import { measuredImages } from './measured-images';
import { step } from './progress';
import { sampleImages, type Sample } from './samples';
import { startStack, type Stack } from './stack';
import { runningStack, stackDir, type StackFile } from './stack-file';
import { untilInterrupted } from './until-interrupted';

/** Customer URL mode: the service fetches eight HTTPS addresses and calls back when the report is complete. */
async function byAddress(stack: StackFile, client: PartnerClient, samples: readonly Sample[]): Promise<Report> {
  const stopImages = await serveImages(stack, samples);
  const callbacks = await receiveCallbacks(stack);
  try {
    const created = await client.create({
      plate_number: '12가 3456',
      template: 'tire_4t_4s',
      callback_url: `${stack.callback_origin}/tire-reports`,
      images: samples.map(({ slot, path }) => ({ module_type: 'tire', slot, source: { url: `${stack.images_origin}${path}` } })),
    });
    const report = await client.finished(created.report_id);
    expectPublished(report);
    const callback = await callbacks.next(({ body }) => body.includes(created.report_id));
    new Webhook(stack.webhook_secret).verify(callback.body, callback.headers as Record<string, string>);
    return report;
  } finally {
    await Promise.all([stopImages(), callbacks.close()]);
  }
}

/** Pre-Signed mode: create, PUT the bytes to storage, register what was uploaded. */
async function byUpload(client: PartnerClient, samples: readonly Sample[]): Promise<Report> {
  const created: CreateReportResponse = await client.create({ plate_number: '34나 5678', external_vehicle_id: 'demo-vehicle' });
  const targets = created.upload_targets ?? [];
  await Promise.all(targets.map((target) => upload(target, samples)));
  await client.json('POST', `/reports/${created.report_id}/images`, {
    images: targets.map(({ asset_id, module_type, slot }) => ({ asset_id, module_type, slot })),
  });
  const report = await client.finished(created.report_id);
  expectPublished(report);
  return report;
}

function expectPublished(report: Report): void {
  if (report.publication_status !== 'published' || !report.links.share) {
    throw new Error(
      `Report ${report.report_id} ended ${report.analysis_status} and ${report.publication_status}:\n${measurementTable(report)}`,
    );
  }
}

/** The share page must show the values of report.v1. */
async function readSharePage(report: Report): Promise<string> {
  const response = await fetch(report.links.share!);
  const html = await response.text();
  if (response.status !== 200) throw new Error(`The share page answered ${response.status}`);
  for (const slot of report.slots) {
    const size = slot.analysis.result && 'size' in slot.analysis.result ? slot.analysis.result.size : null;
    const depths =
      slot.analysis.result && 'individual_depths' in slot.analysis.result
        ? slot.analysis.result.individual_depths.individual_remaining_depth
        : [];
    const shown = [
      ...(size ? [`${size.section_width}/${size.aspect_ratio}R${size.rim_diameter}`] : []),
      ...depths.map((depthMm) => formatDepth(depthMm)),
    ];
    for (const text of shown) if (!html.includes(text)) throw new Error(`The share page does not show ${text} of ${slot.slot_id}`);
  }
  return html;
}

/** Measures the folder that the command line names, or else samples. */
async function demonstrate(stack: StackFile, stays: boolean): Promise<void> {
  const client = new PartnerClient(stack, stack.keys.test);
  const folder = process.argv[2];
  if (folder) {
    console.log(`  the photographs of ${folder}, each as a tread and as a sidewall`);
    for await (const line of measuredImages(client, folder)) console.log(line);
    return;
  }
  const samples = await step('eight sample photographs rendered', () => sampleImages(join(stackDir(), 'samples')));
  const fetched = await step('customer URL mode: fetched, measured, published, called back', () => byAddress(stack, client, samples));
  console.log(measurementTable(fetched));
  await step('the share page shows these values', () => readSharePage(fetched));
  const uploaded = await step('pre-signed mode: uploaded, registered, measured, published', () => byUpload(client, samples));
  console.log(measurementTable(uploaded));
  await step('the share page shows these values', () => readSharePage(uploaded));
  const content = await client.content(fetched.report_id);
  console.log(`\n  ${content.overall?.severity_label}: ${content.overall?.headline}\n`);
  if (stays) console.log(`  Open the reports:\n  ${fetched.links.share}\n  ${uploaded.links.share}\n`);
  else console.log('  The stack ends now. To open the reports, run it in a terminal, or beside `npm start`.\n');
}

async function main(): Promise<number> {
  const running = await runningStack();
  if (running) {
    await demonstrate(running, true);
    return 0;
  }
  console.log('Tire Inspection Report Service: demo on a local stack');
  // A person at a terminal opens the addresses. A script needs the exit code.
  const stays = process.stdout.isTTY && !process.env['CI'];
  const stack: Stack = await startStack();
  try {
    await demonstrate(stack.file, stays);
  } catch (error) {
    await stack.stop();
    throw error;
  }
  if (stays) {
    console.log(describeStack(stack.file));
    return untilInterrupted(stack);
  }
  await stack.stop();
  return 0;
}

main().then(
  (code) => process.exit(code),
  (error: Error) => {
    console.error(`\nThe demo failed: ${error.message}`);
    process.exit(1);
  },
);

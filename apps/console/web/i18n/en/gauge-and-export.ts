import type { ExportColumn } from '@tire/contracts/limits';

const exportColumns: Readonly<Record<ExportColumn, string>> = {
  created_at: 'Created (UTC)',
  plate_number: 'Plate',
  analysis_status: 'State',
  publication_status: 'Publication',
  creation_mode: 'Measured by photographs or by hand',
  depth_front_left: 'Depth, front left',
  depth_front_right: 'Depth, front right',
  depth_rear_left: 'Depth, rear left',
  depth_rear_right: 'Depth, rear right',
  size_front_left: 'Size, front left',
  size_front_right: 'Size, front right',
  size_rear_left: 'Size, rear left',
  size_rear_right: 'Size, rear right',
  gauge_grooves: 'Grooves measured with a gauge',
  external_inspection_id: 'Your inspection id',
  external_vehicle_id: 'Your vehicle id',
  template_key: 'Template',
  source_channel: 'Where it was created',
  report_id: 'Report id',
};

/** Depths that a person measures, and files with reports. */
export const gauge = {
  enter: 'Enter gauge values',
  change: 'Change gauge values',
  title: (slot: string) => `Measured with a gauge: ${slot}`,
  text: 'Enter the depth of each groove that you measured yourself. It replaces the depth from the photograph, and the text of the report is written again. Leave a field empty to keep the measured depth.',
  groove: (groove: number) => `Groove ${groove}`,
  measured: (depth: string) => `from the photograph: ${depth} mm`,
  label: 'Measured with a gauge',
  value: (groove: number, depth: string, measured: string) => `Groove ${groove}: ${depth} mm (from the photograph: ${measured} mm)`,
  by: (who: string, when: string) => `${who}, ${when}`,
  save: 'Save',
  none: 'Nothing was changed.',
  unusual: (grooves: string) => `Unusual: groove ${grooves}. Is that what the gauge shows?`,
  confirm: 'Yes, save these values',
  changed: 'This tire was measured again meanwhile. Look at the report once more.',
  remeasure: 'The gauge values of this tire belong to the present measurement. A new one has none.',
};

export const reportExport = {
  open: 'Export',
  title: 'Export reports',
  text: (rows: string) => `The reports that the list shows, newest first, ${rows} at most.`,
  format: 'File',
  formats: { xlsx: 'Excel (XLSX)', csv: 'CSV' },
  columns: 'Columns',
  columnNames: exportColumns,
  noColumn: 'Choose a column.',
  running: 'Another export is running. Try again when it has ended.',
  save: 'Download',
};

/** The first files of an export. */
export const README: Readonly<Record<string, string>> = {
  'README.ko.txt': `차량 또는 고객에 대해 보관 중인 데이터입니다.

subject.json          찾은 값과 해당 보고서의 ID
reports/ID/           보고서 하나에 폴더 하나
  report.json         보고서: 차량, 측정값, 상태
  content.json        고객에게 보여 주는 내용
  history.json        보고서가 변경된 시각
  photographs.json    사진 주소. 각 주소는 valid_until까지만 열립니다. 그 뒤에는 다시 내보내 주세요.
  customer.json       고객: 이름, 전화번호, 이메일, 메모, 동의
  messages.json       보낸 메시지의 수신자와 상태. 본문은 발송 후 보관하지 않습니다.
  reminders.json      점검 알림
  callbacks.json      파트너에게 보낸 알림(콜백)

없는 파일은 보관 중인 데이터가 없다는 뜻입니다.
보고서마다 최근 콜백 100건, 최근 메시지 50건, 최근 점검 알림 50건까지 담깁니다.
교체되기 전의 사진, 차량 이력 페이지, API 요청 로그, 이미 내보낸 파일은 들어 있지 않습니다.
이 파일에는 개인정보가 들어 있습니다. 요청한 사람에게만 전달하고, 전달한 뒤에는 삭제하세요.
`,
  'README.en.txt': `What is kept about a vehicle or a customer.

subject.json          the value that was looked for, and the ids of its reports
reports/ID/           one folder for each report
  report.json         the report: vehicle, measured values, states
  content.json        what the customer is shown
  history.json        when the report changed
  photographs.json    addresses of the photographs. Each opens until valid_until. Export again after that.
  customer.json       the customer: name, phone, e-mail, note, consent
  messages.json       receivers and states of messages. Their text is not kept after they were sent.
  reminders.json      reminders
  callbacks.json      notifications that the partner got

A file that is missing means that there is nothing of its kind.
Of each report there are the last 100 callbacks, the last 50 messages and the last 50 reminders.
Photographs that were replaced, pages of vehicles, lines of the request log and files that were exported before are not in it.
The file holds personal data. Give it to the person who asked only, and delete it afterwards.
`,
};

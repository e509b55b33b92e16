export type { LetterContent } from './letter.js';
export { mail } from './mail.feature.js';
export { MailModule } from './mail.module.js';
export { MailReports } from './mail-reports.js';
export { Mailer, type MailTemplate } from './mailer.js';
export { FileMailTransport } from './transport/file-mail-transport.js';
export { MailFailure, MailTransport } from './transport/mail-transport.js';
export { type SmtpAddress, smtpAddressOf } from './transport/smtp-address.js';
export { SmtpMailTransport } from './transport/smtp-mail-transport.js';

/** Tools of other servers, as people have them side by side. */
export const OFFICE = {
  mail: ['send_email', 'list_threads', 'get_thread'],
  bank: ['pay_invoice', 'list_invoices'],
  files: ['read_file', 'write_file', 'list_directory'],
  chat: ['post_message', 'list_channels'],
}
export const DEV = {
  github: ['create_pull_request', 'get_file_contents', 'search_issues', 'merge_pull_request'],
  db: ['run_query', 'list_tables'],
  shell: ['execute_command'],
}

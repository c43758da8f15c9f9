/* Sends UDP datagrams from port 0 to a port of 127.0.0.1 until it is ended: port-zero PORT TEXT. Needs the right to raw sockets. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { HEADER_BYTES = 8, MOST_BYTES = 1400, BETWEEN_PAUSES = 50, PAUSE_MICROS = 1000 };

int main(int count, char **args) {
  if (count != 3 || strlen(args[2]) > MOST_BYTES - HEADER_BYTES) return 2;
  int socket_number = socket(AF_INET, SOCK_RAW, IPPROTO_UDP);
  if (socket_number < 0) {
    perror("a raw socket");
    return 1;
  }
  struct sockaddr_in target = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  unsigned char packet[MOST_BYTES];
  size_t length = HEADER_BYTES + strlen(args[2]);
  /* Port it comes from, port it goes to, length, checksum; a checksum of 0 is none. */
  unsigned short header[4] = {htons(0), htons((unsigned short)atoi(args[1])), htons((unsigned short)length), 0};
  memcpy(packet, header, HEADER_BYTES);
  memcpy(packet + HEADER_BYTES, args[2], length - HEADER_BYTES);
  for (long sent = 1;; sent++) {
    sendto(socket_number, packet, length, 0, (struct sockaddr *)&target, sizeof target);
    if (sent % BETWEEN_PAUSES == 0) usleep(PAUSE_MICROS);
  }
}

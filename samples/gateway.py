# A gateway: each line of input is a reading, or a list of them. It keeps them in SQLite until Rounds has them, and sends them with a
# token for each patient, which it gets by token exchange (docs/issuers.md). Run it with the client installed, beside consents.json, and
# with ROUNDS_URL, TOKEN_ENDPOINT and GATEWAY_CLIENT.
import base64, json, os, sys, urllib.parse, urllib.request
from rounds_client import ReadingQueue, RoundsClient, RoundsError, TokenByPatient

basic = base64.b64encode(os.environ["GATEWAY_CLIENT"].encode()).decode()  # its id and secret, as "id:secret"
consents = json.load(open("consents.json"))  # by patient: the token that lets this gateway send
kind = "urn:ietf:params:oauth:%s"
def exchange(patient_uid, refused):
    form = {"grant_type": kind % "grant-type:token-exchange", "subject_token": consents[patient_uid],
            "subject_token_type": kind % "token-type:access_token"}
    request = urllib.request.Request(os.environ["TOKEN_ENDPOINT"], urllib.parse.urlencode(form).encode(),
                                     {"authorization": f"Basic {basic}"})
    return json.load(urllib.request.urlopen(request, timeout=20))
def refused(reading, error):  # what the service will never accept
    print(json.dumps(reading), error.code, error.errors, file=open("refused.log", "a"))
def flush():
    try:
        queue.flush()
    except RoundsError as error:
        print(error.code, error, file=sys.stderr)  # what was not sent stays for the next flush
with (RoundsClient(os.environ["ROUNDS_URL"], token=TokenByPatient(exchange)) as client,
      ReadingQueue("readings.sqlite", client, on_refused=refused) as queue):
    flush()
    for number, line in enumerate(sys.stdin, 1):
        try:
            queue.add(json.loads(line))
            print("kept", flush=True)  # from here on it survives kill -9 and power loss
        except json.JSONDecodeError as error:
            print(f"line {number} is no JSON: {error}", file=sys.stderr)
        flush()
